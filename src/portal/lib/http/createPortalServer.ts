import { setMaxListeners } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { PortalReply, PortalStream } from './portalReply.ts';
import type { PortalRequest } from './portalRequest.ts';

// Not an import, which reads all exports of the module and so loads Node's fetch and WebSocket.
const { createServer } = process.getBuiltinModule('node:http');

/** Maximum size of a request body, in bytes; larger ones get 413. */
export const maxBodyBytes = 1024 * 1024;

/** An incoming request, before its body is read. */
export interface Incoming {
  readonly request: PortalRequest;
  readonly isTooLarge: boolean;
  readonly raw: { readonly message: IncomingMessage; readonly response: ServerResponse };
}

/** The same for the state of a whole portal, which the control interface imports. */
const maxSeedBytes = 256 * 1024 * 1024;

/** Answers one request, or takes over its response (`undefined`). */
export type Answer = (incoming: Incoming) => Promise<PortalReply | PortalStream | undefined>;

/** Options of {@link createPortalServer}. */
export interface PortalServerOptions {
  readonly answer: Answer;
  readonly newRequestId: () => string;
  /** The tenant of a Host header, if any. */
  readonly tenancyOfHost: (host: string | undefined) => string | undefined;
  /** Fires when the server stops: streams end, and connections close after in-flight responses. */
  readonly stopping: AbortSignal;
}

const readBody = async (
  message: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly isTooLarge: boolean }> => {
  // Without either header there is no body (RFC 9112, 6.3).
  const { 'content-length': length, 'transfer-encoding': coding } = message.headers;
  if (length === undefined && coding === undefined) return { body: Buffer.alloc(0), isTooLarge: false };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read and dropped, so that the sender can finish and read the refusal. Node's request timeout ends an
    // endless body.
    if (size <= maxBytes) chunks.push(chunk);
  }
  return { body: Buffer.concat(chunks), isTooLarge: size > maxBytes };
};

const toHeaders = (message: IncomingMessage): Record<string, string> => {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  return headers;
};

const splitTarget = (target: string): { path: string; query: URLSearchParams } => {
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: new URLSearchParams() }
    : { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark + 1)) };
};

const send = (
  response: ServerResponse,
  reply: PortalReply | PortalStream,
  { isHead, stopping }: { readonly isHead: boolean; readonly stopping: AbortSignal },
): void => {
  if (stopping.aborted) response.setHeader('connection', 'close');
  if ('open' in reply) {
    response.writeHead(reply.status, reply.headers);
    response.flushHeaders();
    if (isHead) {
      response.end();
      return;
    }
    const leave = reply.open((text) => response.write(text));
    const end = () => response.end();
    stopping.addEventListener('abort', end, { once: true });
    response.once('close', () => {
      stopping.removeEventListener('abort', end);
      leave();
    });
    if (stopping.aborted) end();
    return;
  }
  const { body } = reply;
  const hasBody = reply.status !== 204 && reply.status !== 304;
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(hasBody && { 'content-length': Buffer.byteLength(body) }),
  });
  response.end(isHead || !hasBody ? undefined : body);
};

/** Creates the HTTP server around an answering function, the only code that uses sockets. */
export const createPortalServer = ({
  answer,
  newRequestId,
  tenancyOfHost,
  stopping,
}: PortalServerOptions): Server => {
  // One listener per open stream.
  setMaxListeners(0, stopping);
  const inFlight = new Set<ServerResponse>();
  // Browsers keep connections without requests open; `close` alone would wait for them.
  const endWhenAnswered = () => {
    if (stopping.aborted && inFlight.size === 0) server.closeAllConnections();
  };
  stopping.addEventListener('abort', () => setImmediate(endWhenAnswered), { once: true });
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = toHeaders(message);
    const { path, query } = splitTarget(message.url ?? '/');
    const isSeed = path === '/_control/seed' && tenancyOfHost(headers['host']) === undefined;
    const { body, isTooLarge } = await readBody(message, isSeed ? maxSeedBytes : maxBodyBytes);
    const request: PortalRequest = {
      method: message.method ?? 'GET',
      path,
      query,
      headers,
      header: (name) => headers[name.toLowerCase()],
      body,
      ipAddress: message.socket.remoteAddress ?? '',
      requestId: newRequestId(),
      tenancyName: tenancyOfHost(headers['host']),
      trace: { notes: [] },
    };
    const reply = await answer({ request, isTooLarge, raw: { message, response } });
    if (reply !== undefined) send(response, reply, { isHead: request.method === 'HEAD', stopping });
  };
  const server = createServer({ keepAliveTimeout: 30_000 }, (message, response) => {
    inFlight.add(response);
    response.once('close', () => {
      inFlight.delete(response);
      endWhenAnswered();
    });
    serve(message, response).catch(() => {
      // The sender disconnected while sending its body; nobody reads a response.
      response.destroy();
    });
  });
  return server;
};
