import { createEndpoint, type Endpoint } from './keyEndpoint.ts';
import { fail, type VitrineOptions, VitrineOptionsError } from './options.ts';
import type { Viewer } from './viewer.ts';

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
export interface FetchHandler<TContext> extends Pick<Endpoint<never>, 'close' | 'health'> {
  (context: TContext): Promise<Response>;
}

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
  const endpoint = createEndpoint<TContext, TViewer>(options && others);
  for (const [name, value] of Object.entries({ webRequest, sourceOf }))
    if (value !== undefined && typeof value !== 'function')
      fail('invalid_web_request', `Option "${name}" must be a function of what the handler is called with.`);
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
    const { body, ...init } = await endpoint.handle(request, {
      hostRequest: context,
      source: addressOf(context),
    });
    return new Response(body, init);
  };
  return Object.assign(handler, { health: endpoint.health, close: endpoint.close });
};
