import type { IncomingHttpHeaders } from 'node:http';
import { unzipSync } from 'node:zlib';
import { request } from 'undici';
import { type RunningCall, timeoutError } from './call.ts';
import type { ClientSetup } from './clientOptions.ts';
import {
  type CallStats,
  type CallWords,
  callError,
  configError,
  type PortalError,
  type SecretPair,
} from './errors.ts';
import { checkResponse, isSignInRedirect } from './refusals.ts';
import { parseBody } from './responses.ts';
import { codeOf } from './upstream.ts';

/** The HTTP facts of a response. */
export type HttpFacts = {
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Facts of the completed request: status, request ID, attempts, latency and more. */
  readonly stats: CallStats;
};

/** The service's response, with parsed JSON. */
export interface HttpResponse extends HttpFacts {
  /** The JSON of the body; undefined if the body is empty. */
  readonly body: unknown;
  /** For an error about the body. */
  readonly words: CallWords;
}

/** Where requests go, and their limits; an `attemptTimeoutMs` of 0 is no limit. */
export type HttpTarget = Pick<
  ClientSetup,
  'upstream' | 'baseUrl' | 'maxResponseBytes' | 'attemptTimeoutMs' | 'adapt'
>;

/** What a request of a call sends. */
export interface HttpRequest {
  /** Path, with its query. The path of the call, which errors show, has no secret. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly secrets?: SecretPair | undefined;
}

const userAgent = 'vitrine-portal-client/0.1.0';

/** Sends one request and reads its response. Rejects with a `PortalError` unless it succeeds. */
export const sendOnce = async (
  target: HttpTarget,
  sent: HttpRequest,
  call: RunningCall,
): Promise<HttpResponse> => {
  const { upstream, baseUrl, maxResponseBytes, attemptTimeoutMs } = target;
  if (upstream.isClosed())
    throw configError('closed', 'This client is closed. Create another with createPortalClient().');
  const { method, path, words } = call;
  call.signal.throwIfAborted();
  call.attempts += 1;
  const startMs = Date.now();
  const started = performance.now();
  const sentStats = { method, path, attempts: call.attempts, secrets: sent.secrets };
  let status: number | undefined;
  const statsNow = (): CallStats => ({
    ...sentStats,
    status,
    proxy: upstream.proxyTo(baseUrl),
    durationMs: performance.now() - started,
  });
  let headers: HttpResponse['headers'];
  let text: string;
  try {
    const response = await request(baseUrl + sent.address, {
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
    status = response.statusCode;
    headers = textHeaders(response.headers);
    text = await readText(response.body, headers['content-encoding'], maxResponseBytes);
  } catch (thrown) {
    if (call.signal.aborted) throw call.endedError(statsNow());
    throw transportError(thrown, words, statsNow());
  }
  const endMs = Date.now();
  const body = parseBody(text, headers['content-type'], target.adapt, { method, path, status });
  const portalMs = parseHttpDate(headers['date'] ?? '');
  const [requestId] = /^[\x21-\x7e]{1,200}$/.exec(headers['x-request-id'] ?? '') ?? [];
  const stats = {
    ...statsNow(),
    body: body.kind,
    // A portal may echo what it received.
    requestId: requestId && words.redact(requestId),
    // The header has whole seconds: add the average half second.
    clockSkewMs: portalMs ? Math.round(portalMs + 500 - (startMs + endMs) / 2) : undefined,
    // Compare a date with the portal's clock, because it is the portal's date.
    retryAfterMs: parseRetryAfter(headers['retry-after'], portalMs ?? endMs),
  };
  checkResponse(body, words, stats, isSignInRedirect(headers['location'], new URL(baseUrl).origin));
  return { headers, body: body.value, stats, words };
};

/** Reads a body as text. We request `identity`; some gateways compress anyway, with gzip or deflate. */
const readText = async (
  body: AsyncIterable<Buffer>,
  encoding: string | undefined,
  maxBytes: number,
): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw Object.assign(new Error('Too large.'), { code: 'ERR_BUFFER_TOO_LARGE' });
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const isPlain = size === 0 || encoding === undefined || encoding.toLowerCase() === 'identity';
  return (isPlain ? bytes : unzipSync(bytes, { maxOutputLength: maxBytes }))
    .toString('utf8')
    .replace(/^\uFEFF/, '');
};

/** The first value of a repeated header counts. */
const textHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      typeof value === 'string' ? value : (value[0] ?? ''),
    ]),
  );

/** Parses an HTTP date to milliseconds since 1970; undefined for other text, which `Date.parse` might accept. */
const parseHttpDate = (text: string): number | undefined => {
  const at = /^[A-Z][a-z]{2}.* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
};

/**
 * Milliseconds that a `Retry-After` header asks to wait: seconds or an HTTP date (RFC 9110 10.2.3). A past date is 0;
 * anything else is undefined, so that junk does not affect retries. Callers decide how long is too long.
 */
export const parseRetryAfter = (value: string | undefined, nowMs: number): number | undefined => {
  const text = value?.trim() ?? '';
  // Some services send fractions, which the standard does not allow.
  if (/^\d{1,15}(?:\.\d{1,6})?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const atMs = parseHttpDate(text);
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs);
};

/** Codes of a response that came and cannot be read. */
const unreadableCodes = /^(?:ERR_BUFFER_TOO_LARGE|Z_|UND_ERR_(?:HEADERS_OVERFLOW|RES_CONTENT)|HPE_)/;

/**
 * Creates the error of a request without a complete response. It keeps only the code of the thrown error: messages of
 * HTTP clients may quote headers and bodies, and ours contain secrets.
 */
const transportError = (thrown: unknown, words: CallWords, stats: CallStats): PortalError => {
  const code = codeOf(thrown);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return timeoutError('attempt_timeout', words, stats);
  return unreadableCodes.test(code)
    ? callError(words, `The portal's response cannot be read (${code}).`, {
        kind: 'invalid_response',
        code,
        stats,
      })
    : callError(words, `The connection to the portal failed (${code}).`, { kind: 'network', code, stats });
};
