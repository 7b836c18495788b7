import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { closeServer, listen } from '../../support/standInPortal.ts';

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
  const server = createServer(async (incoming, response) => {
    const sent = await text(incoming);
    const url = new URL(incoming.url ?? '', 'http://localhost');
    const request: SeenRequest = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: sent === '' ? undefined : JSON.parse(sent),
    };
    requests.push(request);
    const reply = await handler(request, response);
    if (reply === undefined) return;
    const { status = 200, headers = {}, body } = reply;
    const isJson = body !== undefined && typeof body !== 'string';
    response.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...headers });
    response.end(isJson ? JSON.stringify(body) : body);
  });
  const close = () => closeServer(server);
  onTestFinished(close);
  return { baseUrl: await listen(server), requests, close };
};
