import { requestMarkerHeader } from '@vitrine/contract';
import type { Viewer } from '../access/viewer.ts';
import { type HostExchange, type HostResponse, maxKeyRequestBytes } from '../exchange/hostExchange.ts';
import { createMount, type Mount } from '../mount/createMount.ts';
import type { VitrineOptions } from '../options/vitrineOptions.ts';
import { VitrineOptionsError } from '../options/vitrineOptionsError.ts';
import { problemResponse } from '../problems/problemResponse.ts';
import { matchRoute } from './matchRoute.ts';
import { receiveWebWebhook } from './receiveWebWebhook.ts';
import { streamActions } from './streamActions.ts';
import { WebBody } from './webBody.ts';

/** Options of {@link createFetchHandler}. */
export interface FetchHandlerOptions<TContext, TViewer extends Viewer = Viewer>
  extends VitrineOptions<TContext, TViewer> {
  /**
   * Returns the web-standard request from the argument of the framework's handlers, such as `(c) => c.req.raw` for Hono.
   * The callbacks `viewer`, `canView` and `portal` then receive that context. Default: the context is the request.
   */
  readonly webRequest?: (context: TContext) => Request;
  /** Returns the IP address of a webhook's sender, as your platform provides it; required for `allowedSources` of the actions. Default: unknown. */
  readonly sourceOf?: (context: TContext) => string | undefined;
}

/** A web-standard handler. It takes a request, or a framework's context, and returns the response. */
export interface FetchHandler<TContext> extends Pick<Mount<never>, 'close' | 'health'> {
  (context: TContext): Promise<Response>;
}

const responseOf = ({ status, headers, body }: HostResponse): Response =>
  new Response(body, { status, headers: { ...headers } });

const exchangeOf = <TContext>(
  context: TContext,
  request: Request,
  body = new WebBody(request),
): HostExchange<TContext> => ({
  request: context,
  method: request.method,
  header: (name) => request.headers.get(name) ?? (name === 'host' ? new URL(request.url).host : undefined),
  readBody: () => body.read(maxKeyRequestBytes),
  onGone: (listener) => request.signal.addEventListener('abort', listener),
  get isGone() {
    return request.signal.aborted;
  },
});

// The response for a client that has disconnected: nobody reads it, but a handler must return one.
const gone = (): Response => new Response(null, { status: 499 });

/**
 * Creates the key endpoint as `(Request) => Promise<Response>`, for Next.js route handlers, Hono, React Router and
 * Deno. Throws if an option is not valid.
 *
 * @example
 * ```ts
 * import { createFetchHandler, portalFromEnv } from '@vitrine/server';
 * import { mayOpen, userOf } from './yourSignIn.ts';
 *
 * export const POST = createFetchHandler({ portal: portalFromEnv(), viewer: userOf, canView: mayOpen });
 * ```
 */
export const createFetchHandler = <TContext = Request, TViewer extends Viewer = Viewer>(
  options: FetchHandlerOptions<TContext, TViewer>,
): FetchHandler<TContext> => {
  const { webRequest, sourceOf, ...others } = options ?? {};
  const mount = createMount<TContext, TViewer>(options && others);
  const requestOf = (context: TContext): Request => {
    const request: unknown = webRequest === undefined ? context : webRequest(context);
    if (request instanceof Request) return request;
    throw new VitrineOptionsError(
      'invalid_web_request',
      'createFetchHandler() was called with a value that is not a web-standard Request. Return it from the option "webRequest", for example (c) => c.req.raw.',
    );
  };
  const addressOf = (context: TContext): string | undefined => {
    try {
      return sourceOf?.(context);
    } catch {
      // An unknown address is no reason to reject a delivery, unless `allowedSources` is set.
      return undefined;
    }
  };
  const handler = async (context: TContext): Promise<Response> => {
    const request = requestOf(context);
    const { pathname, search } = new URL(request.url);
    const route = matchRoute(pathname, mount.endpoint);
    if (route === 'keys') {
      const body = new WebBody(request);
      const response = await mount.answerKey(exchangeOf(context, request, body));
      body.cancel();
      return response === undefined ? gone() : responseOf(response);
    }
    if (route === 'webhook' && mount.receive !== undefined)
      return receiveWebWebhook(mount.receive, request, addressOf(context));
    if (route !== 'actions' || mount.actions === undefined) {
      if (route === 'actions') mount.missActions(request.headers.get(requestMarkerHeader));
      return responseOf(problemResponse({ code: 'route_not_found' }));
    }
    const opened = await mount.actions(exchangeOf(context, request), search);
    if (typeof opened !== 'function') return responseOf(opened);
    // A signal that has already fired does not call new listeners.
    return request.signal.aborted ? gone() : streamActions(opened, request.signal);
  };
  return Object.assign(handler, { health: mount.health, close: mount.close });
};
