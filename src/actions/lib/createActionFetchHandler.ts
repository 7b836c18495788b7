import { VitrineOptionsError } from '@vitrine/server';
import { type ActionWebhook, type ActionWebhookOptions, createActionWebhook } from './createActionWebhook.ts';
import { readWebBody } from './receive/readWebBody.ts';

/** Options of {@link createActionFetchHandler}. */
export interface ActionFetchHandlerOptions extends ActionWebhookOptions {
  /** Address of the sender, from your platform. Default: unknown, so `allowedSources` needs it. */
  readonly sourceOf?: (request: Request) => string | undefined;
}

/** A web-standard action webhook: call it with a `Request`. */
export interface ActionFetchHandler extends Pick<ActionWebhook, 'close' | 'health'> {
  (request: Request): Promise<Response>;
}

/**
 * The action webhook for frameworks that speak `Request` and `Response`: Next.js, Hono, Remix, Bun, Deno.
 *
 * @throws VitrineOptionsError: `invalid_allowed_sources`, and those of {@link createActionWebhook}.
 */
export const createActionFetchHandler = (options: ActionFetchHandlerOptions): ActionFetchHandler => {
  const { sourceOf, ...others } = options ?? {};
  if (others.allowedSources && !sourceOf)
    throw new VitrineOptionsError(
      'invalid_allowed_sources',
      'allowedSources is set, and without sourceOf no address is known: every delivery would be refused. Say where your platform has it, such as `sourceOf: (request) => request.headers.get("x-real-ip") ?? undefined`.',
    );
  const webhook = createActionWebhook(options && others);
  const addressOf = (request: Request): string | undefined => {
    try {
      return sourceOf?.(request);
    } catch {
      // An address that is not known costs no delivery, unless `allowedSources` asks for one.
      return undefined;
    }
  };
  const handle = async (request: Request): Promise<Response> => {
    const { status, headers } = await webhook.receive({
      method: request.method,
      header: (name) => request.headers.get(name) ?? undefined,
      source: addressOf(request),
      readBody: (maxBytes) => readWebBody(request, maxBytes),
    });
    // A connection header is the server's own business in this world.
    const { connection: _, ...rest } = headers;
    return new Response(null, { status, headers: rest });
  };
  return Object.assign(handle, { close: webhook.close, health: webhook.health });
};
