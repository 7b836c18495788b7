import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MountedActions, WebhookBody } from '../options/mountedActions.ts';
import { writeResponse } from './writeResponse.ts';

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

/** The bytes after a body parser: its buffer, a `rawBody` kept by a `verify` hook, or its result serialized again. */
const parsedBody = ({ body, rawBody, headers }: MaybeParsed, maxBytes: number): WebhookBody => {
  const kept = rawBody ?? body;
  const isWhole = kept instanceof Uint8Array;
  const bytes = isWhole ? kept : Buffer.from(typeof kept === 'string' ? kept : writeAgain(body));
  if (bytes.byteLength > maxBytes) return { kind: 'too-large' };
  // A parser has decompressed an encoded body, so these are not the bytes that were sent.
  return {
    kind: 'read',
    bytes,
    wasParsed: true,
    isReserialized: !isWhole || headers['content-encoding'] !== undefined,
  };
};

/** Reads the bytes of a Node request. A body over the limit stays unread. */
const readNodeBytes = (request: IncomingMessage, maxBytes: number): Promise<WebhookBody> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let total = 0;
    // A stream that has ended emits no more `end`: an earlier parser may have read an empty body.
    if (request.readableEnded) return resolve({ kind: 'read', bytes: new Uint8Array() });
    if (request.destroyed) return resolve({ kind: 'aborted' });
    // The first of these settles the promise; later ones have no effect.
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
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onClose);
    request.on('error', onClose);
  });

/**
 * Passes a webhook of a Node server on. `source` is the sender's address, if the framework has a more accurate address
 * than the socket.
 */
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
  if (!response.destroyed) writeResponse(response, status, { headers });
};
