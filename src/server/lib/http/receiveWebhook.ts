import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MountedActions, WebhookBody } from '../options/actionsRoute.ts';
import { writeAnswer } from './writeAnswer.ts';

/** A request whose body a parser of the host may have read before us. */
type MaybeParsed = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown };

const writeAgain = (body: unknown): string => {
  try {
    return JSON.stringify(body ?? null);
  } catch (cause) {
    throw new Error(
      'A body parser read the body first, and its result cannot be converted back. Mount Vitrine before it.',
      { cause },
    );
  }
};

/** The bytes a body parser left: its own buffer, a `rawBody` kept by a `verify` hook, or its result written again. */
const parsedBody = ({ body, rawBody, headers }: MaybeParsed, maxBytes: number): WebhookBody => {
  const kept = rawBody ?? body;
  const isWhole = kept instanceof Uint8Array;
  const bytes = isWhole ? kept : Buffer.from(typeof kept === 'string' ? kept : writeAgain(body));
  if (bytes.byteLength > maxBytes) return { kind: 'too-large' };
  // A parser has unpacked what came packed, so these are then no longer the bytes that were sent.
  return {
    kind: 'read',
    bytes,
    wasParsed: true,
    isRebuilt: !isWhole || headers['content-encoding'] !== undefined,
  };
};

/** Reads the bytes of a Node request. A body over the limit is left unread. */
const readNodeBytes = (request: IncomingMessage, maxBytes: number): Promise<WebhookBody> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let total = 0;
    // What has ended already says so no more: a parser before this one may have met a body without a byte.
    if (request.readableEnded) return resolve({ kind: 'read', bytes: new Uint8Array() });
    if (request.destroyed) return resolve({ kind: 'aborted' });
    // The first of these settles the promise; what comes after it changes nothing.
    const onData = (chunk: Buffer): void => {
      total += chunk.length;
      if (total <= maxBytes) return void chunks.push(chunk);
      request.pause();
      resolve({ kind: 'too-large' });
    };
    const onEnd = (): void => {
      const [first] = chunks;
      resolve({ kind: 'read', bytes: chunks.length === 1 && first ? first : Buffer.concat(chunks, total) });
    };
    const onClose = (): void => {
      if (!request.readableEnded) resolve({ kind: 'aborted' });
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });

/** Hands a webhook of a Node server on. `source` is the sender's address, where the framework knows better than the socket. */
export const receiveWebhook = async (
  receive: NonNullable<MountedActions['receive']>,
  request: IncomingMessage,
  { response, source }: { readonly response: ServerResponse; readonly source: string | undefined },
): Promise<void> => {
  const { status, headers } = await receive({
    method: request.method ?? '',
    header: (name) => request.headers[name]?.toString(),
    source: source ?? request.socket.remoteAddress,
    readBody: async (maxBytes) =>
      request.readableDidRead ? parsedBody(request, maxBytes) : readNodeBytes(request, maxBytes),
  });
  if (!response.destroyed) writeAnswer(response, status, { headers });
};
