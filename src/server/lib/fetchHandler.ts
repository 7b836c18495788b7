import { createEndpoint, type Endpoint } from './keyEndpoint.ts';
import { stackOf } from './log.ts';
import { type VitrineOptions, VitrineOptionsError } from './options.ts';
import { malformedRequest, toResponse } from './problems.ts';
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

const hostFunction = { kind: 'function', expected: 'a function of what the handler is called with' } as const;

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
  const { handle, health, close, logger } = createEndpoint<TContext, TViewer>(
    options,
    'createFetchHandler()',
    { webRequest: hostFunction, sourceOf: hostFunction },
  );
  const { webRequest = (context: unknown) => context, sourceOf } = options;
  /** What a function of the host returns: undefined if it throws, as for a malformed request. */
  const tryHost = <TValue>(call: () => TValue): TValue | undefined => {
    try {
      return call();
    } catch (error) {
      const message = 'A request is malformed, or the option webRequest or sourceOf has a fault.';
      logger.warn({ stack: stackOf(error) }, message);
      return undefined;
    }
  };
  const handler = async (context: TContext): Promise<Response> => {
    const request: unknown = tryHost(() => webRequest(context));
    if (request === undefined) return toResponse(malformedRequest);
    if (!(request instanceof Request))
      throw new VitrineOptionsError(
        'invalid_option',
        'createFetchHandler() was called with a value that is not a web-standard Request. Return it from the option "webRequest", for example (c) => c.req.raw.',
      );
    const source = () => tryHost(() => sourceOf?.(context));
    return toResponse(await handle(request, { hostRequest: context, source }));
  };
  return Object.assign(handler, { health, close });
};
