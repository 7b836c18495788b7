import { checkSite } from '../access/checkSite.ts';
import type { HostCalls } from '../access/createHostCalls.ts';
import type { Viewer } from '../access/viewer.ts';
import type { HostExchange, HostResponse } from '../exchange/hostExchange.ts';
import { KeyRequestError, toKeyRequestError } from '../keys/keyRequestError.ts';
import { type KnownViewer, readViewer } from '../keys/readViewer.ts';
import { newRequestContext } from '../keys/requestContext.ts';
import type { ActionsConnection, MountedActions } from '../options/mountedActions.ts';
import type { ParsedOptions } from '../options/parseVitrineOptions.ts';
import { problemResponse } from '../problems/problemResponse.ts';
import type { KeyObserver } from '../telemetry/createKeyObserver.ts';
import type { ActionsOpening } from './openActions.ts';

/** Dependencies of the actions endpoint. */
export interface ActionsEndpointParts<TRequest, TViewer extends Viewer> {
  readonly options: ParsedOptions<TRequest, TViewer>;
  readonly route: MountedActions<TViewer>;
  readonly hostCalls: HostCalls;
  readonly observer: KeyObserver;
  readonly redact: (text: string) => string;
}

/** The viewer with its checked properties: the originals may change while the stream is open. */
const withChecked = <TViewer extends Viewer>({ viewer, checked }: KnownViewer<TViewer>): TViewer =>
  Object.freeze(Object.create(viewer, Object.getOwnPropertyDescriptors(checked)));

/** Creates the checks before the action stream: origin and identity, as for a key. */
export const createActionsEndpoint = <TRequest, TViewer extends Viewer>({
  options,
  route,
  hostCalls,
  observer,
  redact,
}: ActionsEndpointParts<TRequest, TViewer>): ((
  exchange: HostExchange<TRequest>,
  url: string,
) => ActionsOpening) => {
  const { allowedOrigins } = options;

  const checkExchange = (exchange: HostExchange<TRequest>): void => {
    if (exchange.method !== 'GET')
      throw new KeyRequestError(
        { code: 'method_not_allowed', allow: 'GET', detail: 'Request the action stream with GET.' },
        { origin: 'request' },
      );
    const site = checkSite(exchange, allowedOrigins);
    if (site !== undefined)
      throw new KeyRequestError(
        { code: 'cross_site_request', detail: `Request rejected: ${site.problem}.` },
        { origin: 'request', ...site },
      );
  };

  return async (exchange, url) => {
    const context = newRequestContext(exchange, 'Action stream not opened.');
    const problem = (error: unknown): HostResponse =>
      problemResponse(observer.problem(toKeyRequestError(error, { itemId: undefined, redact }), context));
    try {
      checkExchange(exchange);
      const known = await readViewer(exchange.request, { options, hostCalls });
      const viewer = withChecked(known);
      context.userId = viewer.userId;
      const queryStart = url.indexOf('?');
      const request = {
        viewer,
        canView: async (itemId: number) => {
          const isAllowed: unknown = await options.canView(viewer, itemId, exchange.request);
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
        } catch (error) {
          const { status, headers, body } = problem(error);
          if (!isStarted) {
            connection.start(status, headers);
            connection.write(body);
          }
          connection.end();
        }
      };
    } catch (error) {
      return problem(error);
    }
  };
};
