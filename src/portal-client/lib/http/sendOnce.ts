import type { Dispatcher } from 'undici';
import { isSignInRedirect } from '../dialect/isSignInRedirect.ts';
import { isRecord, type JsonRecord, member } from '../dialect/jsonValues.ts';
import { parseJson } from '../dialect/parseJson.ts';
import { bodyNames, refusal } from '../dialect/refusal.ts';
import { isEnvelope } from '../dialect/unwrap.ts';
import { type CallWords, callError } from '../errors/callError.ts';
import type { BodyKind, CallStats, SecretPair } from '../errors/callStats.ts';
import { type CallScope, ScopeEnded } from './callScope.ts';
import { type ExchangeResponse, exchange } from './exchange.ts';
import type { HttpResponse } from './httpCall.ts';
import { parseHttpDate, parseRetryAfter } from './parseRetryAfter.ts';
import { requestIdOf } from './requestIdOf.ts';
import { transportError } from './transportError.ts';

/** Common data of all requests of a client. */
export interface RequestTarget {
  readonly dispatcher: Dispatcher;
  readonly proxy: string | undefined;
  readonly origin: string;
  /** Path of the base URL, without a trailing slash. Messages and statistics omit it. */
  readonly pathPrefix: string;
  readonly maxResponseBytes: number;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
}

/** One request, ready to go. */
export interface OneRequest {
  readonly target: RequestTarget;
  readonly method: Dispatcher.HttpMethod;
  /** Path without its query. */
  readonly path: string;
  /** Query with its question mark. */
  readonly query?: string | undefined;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: string | null;
  /** The whole call. */
  readonly scope: CallScope;
  /** This one request of it. */
  readonly attempt: CallScope;
  /** Requests sent for the call, including this one. */
  readonly attempts: number;
  readonly secrets?: SecretPair | undefined;
  /** Masks secrets in third-party text. */
  readonly redact: (text: string) => string;
  readonly words: CallWords;
  /**
   * Whether every response of the portal is an envelope: a 404 without one then means a wrong URL, not a missing item.
   */
  readonly isEnveloped?: boolean | undefined;
  /** Called with the facts of the request, whether it succeeded or failed. */
  readonly onEnd?: ((stats: CallStats) => void) | undefined;
}

/** Sends one request and reads its response. Rejects with a `PortalError` unless it succeeds. */
export const sendOnce = async (request: OneRequest): Promise<HttpResponse> => {
  const { target, method, path, attempts, words, redact, onEnd } = request;
  const startMs = target.nowMs();
  const started = performance.now();
  let response: ExchangeResponse;
  try {
    response = await exchange(target.dispatcher, {
      origin: target.origin,
      path: `${target.pathPrefix}${path}${request.query ?? ''}`,
      method,
      headers: request.headers,
      body: request.body,
      maxResponseBytes: target.maxResponseBytes,
      signal: request.attempt,
    });
  } catch (thrown) {
    const { proxy } = target;
    const durationMs = performance.now() - started;
    const status = thrown instanceof ScopeEnded ? thrown.status : undefined;
    const stats = { ...emptyStats(request, attempts), status, durationMs, proxy, secrets: request.secrets };
    onEnd?.(stats);
    throw transportError(thrown, { scope: request.scope, maxBytes: target.maxResponseBytes, words, stats });
  }
  const { status, headers, body } = response;
  const parsed = parseJson(body);
  const value = parsed.isJson ? parsed.value : undefined;
  const endMs = target.nowMs();
  const stats: CallStats = {
    method,
    path,
    status,
    body: bodyKind(response, value),
    requestId: requestIdOf(headers),
    attempts,
    durationMs: performance.now() - started,
    clockSkewMs: clockSkew(headers['date'], (startMs + endMs) / 2),
    // Compare a date with the portal's clock, because it is the portal's date.
    retryAfterMs: parseRetryAfter(headers['retry-after'], parseHttpDate(headers['date'] ?? '') ?? endMs),
    proxy: target.proxy,
    secrets: request.secrets,
  };
  onEnd?.(stats);
  if (status < 200 || status >= 300 || isFailure(value))
    throw refusal({
      status,
      body: value,
      stats,
      words,
      redact,
      isEnveloped: request.isEnveloped ?? false,
      isSignIn: isSignInRedirect(headers['location'], target.origin),
    });
  if (!parsed.isJson)
    throw callError(
      words,
      `The portal responded with status ${status} and ${bodyNames[stats.body ?? 'text']}.`,
      {
        kind: 'invalid_response',
        code: 'not_json',
        stats,
      },
    );
  return { status, headers, body: value, stats };
};

/** The facts of a request without a response. */
export const emptyStats = (
  { method, path }: Pick<CallStats, 'method' | 'path'>,
  attempts: number,
): CallStats => ({
  method,
  path,
  status: undefined,
  body: undefined,
  requestId: undefined,
  attempts,
  durationMs: 0,
  clockSkewMs: undefined,
  retryAfterMs: undefined,
  proxy: undefined,
  secrets: undefined,
});

/** HTTP 200 with `success: false` is also an error, unless it is a field of a bare resource. */
const isFailure = (body: unknown): boolean =>
  isRecord(body) &&
  member(body, 'success') === false &&
  (isEnvelope(body) || isRecord(member(body, 'error')) || !isResource(body));

const isResource = (body: JsonRecord): boolean => Object.hasOwn(body, 'id') || Object.hasOwn(body, 'userId');

const bodyKind = ({ body, headers }: ExchangeResponse, value: unknown): BodyKind => {
  if (value !== undefined) return isEnvelope(value) ? 'envelope' : 'json';
  if (body === '') return 'empty';
  const isPage = headers['content-type']?.includes('html') === true || /^\s*<(?!\?xml)/i.test(body);
  return isPage ? 'html' : 'text';
};

/** A date with a larger skew is a placeholder, not a clock. */
const yearMs = 365 * 24 * 3_600_000;

const clockSkew = (date: string | undefined, ourMs: number): number | undefined => {
  const portalMs = parseHttpDate(date ?? '');
  if (portalMs === undefined || Math.abs(portalMs - ourMs) > yearMs) return undefined;
  // The header has whole seconds: add the average half second.
  return Math.round(portalMs + 500 - ourMs);
};
