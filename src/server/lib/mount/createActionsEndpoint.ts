import { checkSite } from '../access/checkSite.ts';
import { checkViewer } from '../access/checkViewer.ts';
import type { Viewer } from '../access/viewer.ts';
import type { ActionsConnection, ActionsRoute } from '../http/actionsRoute.ts';
import type { HostAnswer, HostExchange } from '../http/hostExchange.ts';
import type { ActionsOpening } from '../http/openActions.ts';
import type { ParsedOptions } from '../options/parseVitrineOptions.ts';
import { problemAnswer } from '../problems/problemAnswer.ts';

/** Makes what stands before the stream of actions: the same questions of origin and identity as for a key. */
export const createActionsEndpoint = <TRequest, TViewer extends Viewer>(
  { viewer: findViewer, canView, strictRls, allowedOrigins, logger }: ParsedOptions<TRequest, TViewer>,
  route: ActionsRoute<TViewer>,
): ((exchange: HostExchange<TRequest>, url: string) => ActionsOpening) => {
  const failed = (problem?: string): HostAnswer => {
    logger.error(
      { code: 'internal_error', ...(problem !== undefined && { problem }) },
      'The stream of actions could not be opened.',
    );
    return problemAnswer({ code: 'internal_error' });
  };
  return async (exchange, url) => {
    if (exchange.method !== 'GET')
      return problemAnswer({
        code: 'method_not_allowed',
        allow: 'GET',
        detail: 'Actions are streamed by GET.',
      });
    const foreign = checkSite(exchange, allowedOrigins);
    if (foreign !== undefined)
      return problemAnswer({ code: 'cross_site_request', detail: `The request is refused: ${foreign}.` });
    try {
      const viewer = (await findViewer(exchange.request)) || undefined;
      if (viewer === undefined) return problemAnswer({ code: 'signed_out' });
      const wrong = checkViewer(viewer, strictRls);
      if (wrong !== undefined) return failed(wrong);
      const queryStart = url.indexOf('?');
      const request = {
        viewer,
        canView: async (itemId: number) => {
          const isAllowed: unknown = await canView(viewer, itemId, exchange.request);
          return isAllowed === true;
        },
        query: new URLSearchParams(queryStart === -1 ? '' : url.slice(queryStart + 1)),
        header: (name: string) => exchange.header(name),
      };
      return async (connection) => {
        let isStarted = false;
        const start: ActionsConnection['start'] = (status, headers) => {
          isStarted = true;
          connection.start(status, headers);
        };
        try {
          await route.open(request, { ...connection, start });
        } catch {
          const { status, headers, body } = failed();
          if (!isStarted) {
            connection.start(status, headers);
            connection.write(body);
          }
          connection.end();
        }
      };
    } catch {
      return failed();
    }
  };
};
