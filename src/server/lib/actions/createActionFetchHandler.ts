import { type ActionWebhook, type ActionWebhookOptions, createActionWebhook } from './createActionWebhook.ts';
import { readWebBody } from './receive/readWebBody.ts';

/** Options of {@link createActionFetchHandler}. */
export interface ActionFetchHandlerOptions extends ActionWebhookOptions {
  /** Address of the sender, from your platform. Needed only for `allowedSources`. */
  readonly sourceOf?: (request: Request) => string | undefined;
}

/** A web-standard action webhook: call it with a `Request`. */
export interface ActionFetchHandler extends Pick<ActionWebhook, 'close' | 'health'> {
  (request: Request): Promise<Response>;
}

/** The action webhook for frameworks that speak `Request` and `Response`: Next.js, Hono, Remix, Bun, Deno. */
export const createActionFetchHandler = (options: ActionFetchHandlerOptions): ActionFetchHandler => {
  const webhook = createActionWebhook(options);
  const handle = async (request: Request): Promise<Response> => {
    const { status, headers } = await webhook.receive({
      method: request.method,
      header: (name) => request.headers.get(name) ?? undefined,
      source: options.sourceOf?.(request),
      readBody: (maxBytes) => readWebBody(request, maxBytes),
    });
    // A connection header is the server's own business in this world.
    const { connection: _, ...rest } = headers;
    return new Response(null, { status, headers: rest });
  };
  return Object.assign(handle, { close: webhook.close, health: webhook.health });
};
