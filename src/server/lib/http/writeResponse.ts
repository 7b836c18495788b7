import type { ServerResponse } from 'node:http';

/** A response of `node:http2` has its own stream. */
type MaybeHttp2 = ServerResponse & { readonly stream?: { close(): void } };

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
  response.writeHead(status, isStream ? others : headers).end(body);
  if (isStream) stream.close();
};
