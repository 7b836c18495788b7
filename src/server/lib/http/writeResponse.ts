import type { ServerResponse } from 'node:http';

/** A response of `node:http2` has its own stream. */
type MaybeHttp2 = ServerResponse & { readonly stream?: { close(): void } };

/**
 * Sets status and headers, as Express's `response.json()` does. Middlewares replace methods of the response, and their
 * `writeHead` may drop the headers that it gets; nothing here uses what such a method returns.
 */
export const setHead = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
): void => {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
};

/** Writes a response. HTTP/2 has no `Connection` header: there, it closes the request's stream after the response. */
export const writeResponse = (
  response: MaybeHttp2,
  status: number,
  {
    headers,
    body,
  }: { readonly headers: Readonly<Record<string, string>>; readonly body?: string | undefined },
): void => {
  const { Connection, connection = Connection, ...others } = headers;
  const { stream } = response;
  const isStream = stream !== undefined && connection !== undefined;
  setHead(response, status, isStream ? others : headers);
  response.end(body);
  if (isStream) stream.close();
};
