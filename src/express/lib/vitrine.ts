import type { IncomingMessage, ServerResponse } from 'node:http';
import { createNodeHandler, type NodeHandler, type Viewer, type VitrineOptions } from '@vitrine/server';
import type { Request } from 'express';
import { warnAboutProxy } from './warnAboutProxy.ts';

/** An Express handler, for `app.use('/api/embed', vitrine({...}))`. */
export type VitrineHandler = NodeHandler;

/**
 * Makes the middleware that gives browsers their keys: `POST {mount}/keys` and, with the option `actions`,
 * `GET {mount}/actions`. Every other path is passed on to the next handler. Works with Express 5 and 4, before or
 * behind `express.json()`. Throws at once when an option cannot be used.
 */
export const vitrine = <TRequest extends Request = Request, TViewer extends Viewer = Viewer>(
  options: VitrineOptions<TRequest, TViewer>,
): VitrineHandler => {
  const handler = createNodeHandler(options);
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
