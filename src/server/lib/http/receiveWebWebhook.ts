import type { MountedActions, WebhookBody } from '../options/actionsRoute.ts';

const readBytes = async (request: Request, maxBytes: number): Promise<WebhookBody> => {
  if (request.bodyUsed) return { kind: 'aborted' };
  const chunks: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const chunk of request.body ?? []) {
      total += chunk.byteLength;
      // Leaving the loop cancels the body.
      if (total > maxBytes) return { kind: 'too-large' };
      chunks.push(chunk);
    }
  } catch {
    return { kind: 'aborted' };
  }
  return { kind: 'read', bytes: Buffer.concat(chunks, total) };
};

/** Hands a webhook of a web-standard host on. `source` is the sender's address, where the platform knows it. */
export const receiveWebWebhook = async (
  receive: NonNullable<MountedActions['receive']>,
  request: Request,
  source: string | undefined,
): Promise<Response> => {
  const { status, headers } = await receive({
    method: request.method,
    header: (name) => request.headers.get(name) ?? undefined,
    source,
    readBody: (maxBytes) => readBytes(request, maxBytes),
  });
  // A connection header is the server's own business in this world.
  const { connection: _, ...rest } = headers;
  return new Response(null, { status, headers: rest });
};
