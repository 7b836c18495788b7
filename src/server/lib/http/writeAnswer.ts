import type { ServerResponse } from 'node:http';

/** A response of `node:http2` stands on a stream of its own. */
type MaybeHttp2 = ServerResponse & { readonly stream?: { close(): void } };

/** Writes an answer. HTTP/2 has no header `Connection`: there the request's stream is closed instead, after the answer. */
export const writeAnswer = (
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
