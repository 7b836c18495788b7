import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SeenRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: any;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string | string[]>;
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
}

/** A handler returns a reply, or uses the raw response and returns nothing. */
export type Handler = (
  request: SeenRequest,
  response: ServerResponse,
) => Reply | undefined | Promise<Reply | undefined>;

/** A real HTTP server on a free port, closed at the end of the test. */
export const serve = async (handler: Handler) => {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const text = Buffer.concat(chunks).toString();
      const url = new URL(incoming.url ?? '/', 'http://localhost');
      const request: SeenRequest = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      requests.push(request);
      const reply = await handler(request, response);
      if (reply === undefined) return;
      const { status = 200, headers = {}, body } = reply;
      const isJson = body !== undefined && typeof body !== 'string';
      response.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...headers });
      response.end(isJson ? JSON.stringify(body) : body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, requests, close };
};
