import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestMarkerHeader } from '@vitrine/contract';
import type { Viewer } from '../access/viewer.ts';
import type { HostResponse } from '../exchange/hostExchange.ts';
import { createMount, type Mount } from '../mount/createMount.ts';
import { openActions } from '../mount/openActions.ts';
import type { VitrineOptions } from '../options/vitrineOptions.ts';
import { problemResponse } from '../problems/problemResponse.ts';
import { matchRoute } from './matchRoute.ts';
import { NodeExchange } from './nodeExchange.ts';
import { receiveWebhook } from './receiveWebhook.ts';
import { writeResponse } from './writeResponse.ts';

/** A handler for `node:http` and frameworks with `(req, res, next)`: Express, Connect, Polka, Vite. */
export interface NodeHandler extends Pick<Mount<never>, 'close' | 'health'> {
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
}

const pathOf = (url: string): string => {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
};

/** The values of `Vary` that the host has set, and ours. */
const mergeVary = (given: number | string | readonly string[], own = ''): string => {
  const values = [given, own].flat().flatMap((value) => String(value).split(','));
  return [...new Set(values.map((value) => value.trim()))].filter((value) => value !== '').join(', ');
};

/**
 * Creates the key endpoint as a plain `(req, res, next)` function. Throws if an option is not valid.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { createNodeHandler, portalFromEnv } from '@vitrine/server';
 * import { mayOpen, userOf } from './yourSignIn.ts';
 *
 * const handler = createNodeHandler({ portal: portalFromEnv(), viewer: userOf, canView: mayOpen });
 * createServer((request, response) => handler(request, response)).listen(3000);
 * ```
 */
export const createNodeHandler = <
  TRequest extends IncomingMessage = IncomingMessage,
  TViewer extends Viewer = Viewer,
>(
  options: VitrineOptions<TRequest, TViewer>,
  /** Address of a webhook's sender, if the framework has a more accurate address than the socket. */
  sourceOf?: (request: IncomingMessage) => string | undefined,
): NodeHandler => {
  const mount = createMount(options);

  const handler = function vitrine(
    request: IncomingMessage,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ): void {
    const exchange = new NodeExchange<TRequest>(request, response);
    /**
     * Hooks of the host run inside `writeHead` and may throw; setting a header throws if the host has started a
     * response. Our response is lost then, and the process continues.
     */
    const send = ({ status, headers, body }: HostResponse) => {
      if (response.writableEnded || response.destroyed) return;
      try {
        const vary = response.getHeader('Vary');
        const merged = vary === undefined ? headers : { ...headers, Vary: mergeVary(vary, headers['Vary']) };
        writeResponse(response, status, { headers: merged, body });
      } catch (error) {
        mount.reportSendError(error);
        response.destroy();
      }
    };
    const fail = (error: unknown) => {
      mount.reportSendError(error);
      send(problemResponse({ code: 'internal_error' }));
    };
    const route = matchRoute(pathOf(request.url ?? ''), mount.endpoint);
    if (route === 'keys')
      void mount.answerKey(exchange).then((answer) => {
        if (answer !== undefined) send(answer);
      }, fail);
    else if (route === 'actions' && mount.actions !== undefined)
      openActions(mount.actions(exchange, request.url ?? ''), response, {
        send,
        onError: mount.reportSendError,
        isGone: () => exchange.isGone,
      }).catch(fail);
    else if (route === 'webhook' && mount.receive !== undefined)
      void receiveWebhook(mount.receive, request, { response, source: sourceOf?.(request) }).catch(fail);
    else {
      if (route === 'actions') mount.missActions(request.headers[requestMarkerHeader]?.toString());
      if (next === undefined) send(problemResponse({ code: 'route_not_found' }));
      else next();
    }
  };
  return Object.assign(handler, { health: mount.health, close: mount.close });
};
