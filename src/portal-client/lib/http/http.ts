import { setTimeout as sleep } from 'node:timers/promises';
// Not by name: an unsupported Node version lacks some of them, and must get a clear error instead.
import zlib from 'node:zlib';
import { request } from 'undici';
import type { CallWords } from '../errors/callError.ts';
import type { CallStats, SecretPair } from '../errors/callStats.ts';
import { isPortalError, type PortalError } from '../errors/portalError.ts';
import { type Adapt, checkResponse, parseBody } from '../responses/success.ts';
import {
  clockSkew,
  parseHttpDate,
  parseRetryAfter,
  requestIdOf,
  type TextHeaders,
  textHeaders,
} from './headers.ts';
import { BodyTooLargeError, type CallEnd, endedError, transportError } from './transportError.ts';
import type { Upstream } from './upstream.ts';

/** Verbs of the administration API. */
export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call in any phase: queueing, connecting, reading, waiting before a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole call including retries, in milliseconds. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

/** One call, described by a resource. */
export interface HttpCall extends CallOptions {
  readonly method: HttpMethod;
  /** Encoded path under `baseUrl`; see `path`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
  /** Default: the client's. */
  readonly maxRetries?: number | undefined;
}

/** Performs a call: key, request, retries, deadline. */
export type Send = (call: HttpCall) => Promise<HttpResponse>;

/** The service's response, with parsed JSON. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: TextHeaders;
  /** The JSON of the body; undefined if the body is empty. */
  readonly body: unknown;
  /** Facts of the completed request. */
  readonly stats: CallStats;
}

/** Where requests go, and their limits. */
export interface HttpTarget {
  readonly upstream: Upstream;
  /** Without a trailing slash. Messages and statistics omit it. */
  readonly baseUrl: string;
  readonly maxResponseBytes: number;
  /** Milliseconds that the portal may take to begin its response, or pause in it. */
  readonly attemptTimeoutMs: number;
  readonly adapt: Adapt | undefined;
}

/** A call in progress. */
export interface RunningCall {
  /** Fires at the deadline, or when the caller aborts. */
  readonly signal: AbortSignal;
  /** Why the signal fired. */
  readonly endedBy: () => CallEnd;
  /** Requests sent so far. */
  attempts: number;
}

/** One request. */
export interface HttpRequest {
  readonly method: HttpMethod;
  /** Encoded path without its query. */
  readonly path: string;
  /** Query with its question mark. */
  readonly query?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly words: CallWords;
  /** Masks secrets in third-party text. */
  readonly redact: (text: string) => string;
  readonly secrets?: SecretPair | undefined;
  /** Whether every response of the portal is an envelope: a 404 without one then means a wrong URL, not a missing item. */
  readonly isEnveloped?: boolean | undefined;
  /** Called with the facts of the request, whether it succeeded or failed. */
  readonly onEnd?: ((stats: CallStats) => void) | undefined;
}

/** How a call is made. */
export interface CallPlan<TValue> extends CallOptions {
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly mayRepeat: (error: PortalError) => boolean;
  readonly described: Pick<CallStats, 'method' | 'path'>;
  readonly words: CallWords;
  readonly attempt: (call: RunningCall) => Promise<TValue>;
}

const userAgent = 'vitrine-portal-client/0.1.0';
/** The longest delay of a timer; a longer one fires at once. */
const maxDelayMs = 2 ** 31 - 1;

/** Makes a call: attempts until one succeeds, an error is final, the deadline passes or the caller aborts. */
export const runCall = async <TValue>(plan: CallPlan<TValue>): Promise<TValue> => {
  const { signal: caller, timeoutMs } = plan;
  const endMs = performance.now() + timeoutMs;
  const deadline = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), maxDelayMs));
  const call: RunningCall = {
    signal: AbortSignal.any(caller ? [caller, deadline] : [deadline]),
    endedBy: () => (caller?.aborted === true ? 'aborted' : 'deadline'),
    attempts: 0,
  };
  const ended = () =>
    endedError(call.endedBy(), plan.words, { ...noStats, ...plan.described, attempts: call.attempts });
  if (call.signal.aborted) throw ended();

  const attempts = async (): Promise<TValue> => {
    for (let retries = 0; ; retries += 1) {
      try {
        return await plan.attempt(call);
      } catch (error) {
        if (!isPortalError(error) || retries >= plan.maxRetries || !plan.mayRepeat(error)) throw error;
        const delayMs = retryDelay(retries, error.retryAfterMs);
        // The delay would exceed the deadline: fail now.
        if (performance.now() + delayMs >= endMs) throw error;
        await sleep(delayMs, undefined, { signal: call.signal });
      }
    }
  };

  const { promise, resolve, reject } = Promise.withResolvers<TValue>();
  // A request in flight reports first: it knows whether a response had begun.
  const stop = () => void setImmediate(() => reject(ended()));
  call.signal.addEventListener('abort', stop, { once: true });
  attempts().then(resolve, (error: unknown) =>
    reject(call.signal.aborted && !isPortalError(error) ? ended() : error),
  );
  return promise.finally(() => call.signal.removeEventListener('abort', stop));
};

const firstPauseMs = 250;
const longestPauseMs = 8000;

/** Milliseconds before a retry: full jitter, doubling from 250 ms to 8 s, and at least the `Retry-After` of the service. */
export const retryDelay = (retries: number, retryAfterMs: number | undefined): number =>
  retryAfterMs === undefined
    ? Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** retries)
    : retryAfterMs + Math.random() * firstPauseMs;

/** Codes of connections that were never established. */
const neverConnected =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|PROXY_)/;

/**
 * Whether a call may be sent again: nothing has changed, because the service said so (429) or no connection was
 * established; or the call changes nothing, and the failure may pass.
 */
export const mayRepeat = (error: PortalError, { isWrite }: { readonly isWrite: boolean }): boolean => {
  const { kind, status, code = '' } = error;
  if (kind === 'rate_limited' || (kind === 'network' && neverConnected.test(code))) return true;
  return !isWrite && (kind === 'network' || kind === 'timeout' || (kind === 'server' && status !== 501));
};

/** The facts of a call without a request. */
export const noStats: CallStats = {
  method: '',
  path: '',
  status: undefined,
  body: undefined,
  requestId: undefined,
  attempts: 0,
  durationMs: 0,
  clockSkewMs: undefined,
  retryAfterMs: undefined,
  proxy: undefined,
  secrets: undefined,
};

/** Sends one request and reads its response. Rejects with a `PortalError` unless it succeeds. */
export const sendOnce = async (
  target: HttpTarget,
  sent: HttpRequest,
  call: RunningCall,
): Promise<HttpResponse> => {
  const { upstream, maxResponseBytes, attemptTimeoutMs } = target;
  const { method, path, words } = sent;
  call.signal.throwIfAborted();
  call.attempts += 1;
  const startMs = Date.now();
  const started = performance.now();
  let stats: CallStats = {
    ...noStats,
    method,
    path,
    attempts: call.attempts,
    proxy: upstream.proxyTo(target.baseUrl),
    secrets: sent.secrets,
  };
  let headers: TextHeaders;
  let text: string;
  try {
    const response = await request(`${target.baseUrl}${path}${sent.query ?? ''}`, {
      dispatcher: upstream.dispatcher,
      method,
      headers: {
        ...sent.headers,
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': userAgent,
        ...(sent.body !== null && { 'content-type': 'application/json' }),
      },
      body: sent.body,
      signal: call.signal,
      headersTimeout: attemptTimeoutMs,
      bodyTimeout: attemptTimeoutMs,
    });
    stats = { ...stats, status: response.statusCode };
    headers = textHeaders(response.headers);
    const bytes = await readBytes(response.body, maxResponseBytes);
    text = decode(bytes, headers['content-encoding'], maxResponseBytes);
  } catch (thrown) {
    stats = { ...stats, durationMs: performance.now() - started };
    sent.onEnd?.(stats);
    if (call.signal.aborted) throw endedError(call.endedBy(), words, stats);
    throw transportError(thrown, { maxBytes: maxResponseBytes, words, stats });
  }
  const endMs = Date.now();
  const body = parseBody(text, {
    method,
    path,
    status: stats.status ?? 0,
    contentType: headers['content-type'],
    adapt: target.adapt,
  });
  stats = {
    ...stats,
    body: body.kind,
    requestId: requestIdOf(headers),
    durationMs: performance.now() - started,
    clockSkewMs: clockSkew(headers['date'], (startMs + endMs) / 2),
    // Compare a date with the portal's clock, because it is the portal's date.
    retryAfterMs: parseRetryAfter(headers['retry-after'], parseHttpDate(headers['date'] ?? '') ?? endMs),
  };
  sent.onEnd?.(stats);
  checkResponse(body, {
    ...sent,
    stats,
    location: headers['location'],
    origin: new URL(target.baseUrl).origin,
  });
  return { status: stats.status ?? 0, headers, body: body.value, stats };
};

const readBytes = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new BodyTooLargeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
};

/**
 * The text of a body. We request `identity`, but some gateways compress anyway. (undici's interceptor for this prints a
 * warning that it is experimental.)
 */
const decode = (bytes: Buffer, encodings: string | undefined, maxBytes: number): string => {
  let decoded = bytes;
  // Encodings are listed in the order in which they were applied.
  for (const name of encodings?.toLowerCase().split(',').toReversed() ?? [])
    if (decoded.length > 0)
      decoded = decoders[name.trim()]?.(decoded, { maxOutputLength: maxBytes }) ?? decoded;
  return decoded.toString('utf8').replace(/^\uFEFF/, '');
};
