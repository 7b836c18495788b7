import { createNodeHandler, type NodeHandler, type Viewer, type VitrineOptions } from '@vitrine/server';
import type { Request } from 'express';

/** An Express handler, for `app.use('/api/embed', vitrine({...}))`. */
export type VitrineHandler = NodeHandler;

/**
 * Creates the middleware that issues keys to browsers: `POST {mount}/keys`, with the option `items` also
 * `GET {mount}/items`, and with the option `actions` `GET {mount}/actions` and `POST {mount}/webhook`. Every other path is
 * passed on to the next handler. Works with Express 5 and 4, before or behind `express.json()`. Throws if an option is not
 * valid.
 *
 * @example
 * ```ts
 * import { portalFromEnv, vitrine } from '@vitrine/express';
 * import express from 'express';
 * import { mayOpen, userOf } from './yourSignIn.ts';
 *
 * const app = express();
 * app.use('/api/embed', vitrine({ portal: portalFromEnv(), viewer: userOf, canView: mayOpen }));
 * ```
 */
export const vitrine = <TRequest extends Request = Request, TViewer extends Viewer = Viewer>(
  options: VitrineOptions<TRequest, TViewer>,
): VitrineHandler => createNodeHandler<TRequest, TViewer>(options, ({ ip }) => ip);
