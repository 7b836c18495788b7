import type { IncomingMessage, ServerResponse } from 'node:http';
import { createNodeHandler, type NodeHandler, type Viewer, type VitrineOptions } from '@vitrine/server';
import type { Request } from 'express';
import { warnAboutProxy } from './warnAboutProxy.ts';

/** An Express handler, for `app.use('/api/embed', vitrine({...}))`. */
export type VitrineHandler = NodeHandler;

/** The sender's address in an Express request, read from the proxy headers that the app trusts. */
interface WithAddress {
  readonly app?: { readonly get?: (setting: string) => unknown };
  readonly ip?: string;
}

/** Without a trusted proxy, `ip` is only the socket's address, and slower to read. */
const sourceOf = (request: IncomingMessage & WithAddress): string | undefined =>
  request.app?.get?.('trust proxy') ? request.ip : undefined;

/**
 * Creates the middleware that issues keys to browsers: `POST {mount}/keys` and, with the option `actions`,
 * `GET {mount}/actions` and `POST {mount}/webhook`. Every other path is passed on to the next handler. Works with
 * Express 5 and 4, before or behind `express.json()`. Throws if an option is not valid.
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
): VitrineHandler => {
  const handler = createNodeHandler(options, sourceOf);
  let isFirst = true;
  const mounted: NodeHandler = Object.assign(
    function vitrine(
      request: IncomingMessage,
      response: ServerResponse,
      next?: (error?: unknown) => void,
    ): void {
      if (isFirst) {
        isFirst = false;
        warnAboutProxy(request, options.logger);
      }
      handler(request, response, next);
    },
    { health: handler.health, close: handler.close },
  );
  return mounted;
};
