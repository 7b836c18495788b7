import type { MountedActions, WebhookBody } from '../options/mountedActions.ts';
import { WebBody } from './webBody.ts';

/** Passes a webhook of a web-standard host on. `source` is the sender's address, if the platform knows it. */
export const receiveWebWebhook = async (
  receive: NonNullable<MountedActions['receive']>,
  request: Request,
  source: string | undefined,
): Promise<Response> => {
  const body = new WebBody(request);
  const readBody = async (maxBytes: number): Promise<WebhookBody> => {
    if (request.bodyUsed) return { kind: 'aborted' };
    try {
      const bytes = await body.readBytes(maxBytes);
      return bytes === undefined ? { kind: 'too-large' } : { kind: 'read', bytes };
    } catch {
      return { kind: 'aborted' };
    }
  };
  const { status, headers } = await receive({
    method: request.method,
    header: (name) => request.headers.get(name) ?? undefined,
    source,
    readBody,
  });
  body.cancel();
  // Web-standard servers manage the connection header themselves.
  const { connection: _, ...rest } = headers;
  return new Response(null, { status, headers: rest });
};
