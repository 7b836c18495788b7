import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestMarkerHeader } from '@vitrine/contract';
import type { Viewer } from '../access/viewer.ts';
import { createMount, type Mount } from '../mount/createMount.ts';
import type { VitrineOptions } from '../options/vitrineOptions.ts';
import { problemAnswer } from '../problems/problemAnswer.ts';
import type { HostAnswer } from './hostExchange.ts';
import { matchRoute } from './matchRoute.ts';
import { NodeExchange } from './nodeExchange.ts';
import { openActions } from './openActions.ts';

/** A handler for `node:http` and for everything that takes `(req, res, next)`: Express, Connect, Polka, Vite. */
export interface NodeHandler extends Pick<Mount<never>, 'close' | 'health'> {
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
}

const pathOf = (url: string): string => {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
};

const send = (response: ServerResponse, { status, headers, body, isAscii }: HostAnswer): void => {
  if (response.headersSent || response.destroyed) return;
  const vary = response.getHeader('Vary');
  response.writeHead(
    status,
    vary === undefined ? headers : { ...headers, Vary: `${String(vary)}, ${headers['Vary'] ?? ''}` },
  );
  response.end(body, isAscii === true ? 'latin1' : 'utf8');
};

/** Makes the key endpoint as a plain `(req, res, next)` function. Throws at once when an option cannot be used. */
export const createNodeHandler = <
  TRequest extends IncomingMessage = IncomingMessage,
  TViewer extends Viewer = Viewer,
>(
  options: VitrineOptions<TRequest, TViewer>,
): NodeHandler => {
  const mount = createMount(options);
  const handler = function vitrine(
    request: IncomingMessage,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ): void {
    const route = matchRoute(pathOf(request.url ?? ''), mount.endpoint);
    if (route === 'keys')
      void mount.answerKey(new NodeExchange<TRequest>(request, response)).then(
        (answer) => {
          if (answer !== undefined) send(response, answer);
        },
        // What can still fail is the host's own logger or telemetry; that must not end its process.
        () => send(response, problemAnswer({ code: 'internal_error' })),
      );
    else if (route === 'actions' && mount.actions !== undefined)
      openActions(
        mount.actions(new NodeExchange<TRequest>(request, response), request.url ?? ''),
        response,
        send,
      );
    else {
      if (route === 'actions') mount.missActions(request.headers[requestMarkerHeader]?.toString());
      if (next === undefined) send(response, problemAnswer({ code: 'route_not_found' }));
      else next();
    }
  };
  return Object.assign(handler, { health: mount.health, close: mount.close });
};
