import { request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';

/** A request of a check. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
}

/** The response. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body parsed as JSON; `undefined` if it is not JSON. */
  readonly json: unknown;
}

const timeLimitMs = 15_000;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Names under `.localhost` are this machine (RFC 6761), but Node asks a resolver that may not know them. */
const addressOf = (url: URL): string =>
  url.hostname.endsWith('.localhost') ? '127.0.0.1' : url.hostname.replace(/^\[|\]$/g, '');

/** Sends one plain HTTP request. Does not follow redirects; any status is an answer. */
export const send = ({ method, url: address, headers = {}, body, signal }: Outgoing): Promise<Answer> => {
  const url = new URL(address);
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    // An error of several addresses has a code and no message.
    const fail = (error: NodeJS.ErrnoException) =>
      reject(new Error(error.message || (error.code ?? 'no connection'), { cause: error }));
    const outgoing = (url.protocol === 'https:' ? sendHttps : sendHttp)(
      {
        method,
        host: addressOf(url),
        servername: url.hostname,
        port: url.port || (url.protocol === 'https:' ? 443 : 80),
        path: `${url.pathname}${url.search}`,
        headers: {
          host: url.host,
          ...(payload !== undefined && { 'content-length': String(Buffer.byteLength(payload)) }),
          ...headers,
        },
        timeout: timeLimitMs,
        signal,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', fail);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const received = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(received) as Record<string, string>,
            text,
            json: parse(text),
          });
        });
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeLimitMs / 1000} s`)));
    outgoing.on('error', fail);
    outgoing.end(payload);
  });
};
