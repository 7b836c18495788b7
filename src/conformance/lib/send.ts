import { once } from 'node:events';
import { type IncomingMessage, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { text as readText } from 'node:stream/consumers';

/** A request of a check. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  /** `undefined` omits a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
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

/** The JSON value of a text; `undefined` if it is not JSON. */
export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Sends one plain HTTP request. Does not follow redirects; any status is an answer. */
export const send = async ({ method, url: address, headers, body, signal }: Outgoing): Promise<Answer> => {
  const url = new URL(address);
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const deadline = AbortSignal.timeout(timeLimitMs);
  try {
    const outgoing = (url.protocol === 'https:' ? sendHttps : sendHttp)(url, {
      method,
      // Names under `.localhost` are this machine (RFC 6761), but Node asks a resolver that may not know them.
      ...(url.hostname.endsWith('.localhost') && { hostname: '127.0.0.1' }),
      signal: AbortSignal.any(signal === undefined ? [deadline] : [deadline, signal]),
    });
    for (const [name, value] of Object.entries({ host: url.host, ...headers }))
      if (value !== undefined) outgoing.setHeader(name, value);
    outgoing.end(payload);
    // The event "response" has one argument.
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const text = await readText(incoming);
    const received = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    const status = incoming.statusCode ?? 0;
    return { status, headers: Object.fromEntries(received), text, json: parse(text) };
  } catch (cause) {
    // An error of several addresses has a code and no message.
    const { message, code = 'no connection' }: NodeJS.ErrnoException = Object(cause);
    const why = deadline.aborted ? `no answer within ${timeLimitMs / 1000} s` : message || code;
    throw new Error(why, { cause });
  }
};
