import { callAdvice } from '../dialect/callAdvice.ts';
import type { CallWords } from '../errors/callError.ts';
import type { CallStats } from '../errors/callStats.ts';
import { isPortalError, PortalError, type PortalErrorKind } from '../errors/portalError.ts';
import { CallScope, ScopeEnded } from '../http/callScope.ts';
import { createLimiter } from '../http/createLimiter.ts';
import { createRedactor } from '../http/createRedactor.ts';
import type { HttpCall, HttpResponse, Send } from '../http/httpCall.ts';
import { retry } from '../http/retry.ts';
import { retryDelay } from '../http/retryDelay.ts';
import { emptyStats, type RequestTarget, sendOnce } from '../http/sendOnce.ts';
import { endedError } from '../http/transportError.ts';
import { userAgent } from '../http/userAgent.ts';
import type { ParsedClientOptions } from './parseClientOptions.ts';

/**
 * Sends every request of the administration API. `readOnly` rejects writes here, below every resource,
 * so that no caller can bypass it.
 */
export const createTransport = (options: ParsedClientOptions): Send => {
  const { clock } = options;
  const limiter = createLimiter(options);
  const { origin, pathname } = new URL(options.baseUrl);
  const target: RequestTarget = {
    ...options.upstream,
    origin,
    pathPrefix: pathname.replace(/\/+$/, ''),
    maxResponseBytes: options.maxResponseBytes,
    nowMs: clock.now,
  };
  const ownHeaders = Object.entries(options.headers).flat();

  const notifyAttempt = (stats: CallStats) => {
    try {
      options.onAttempt?.(stats);
    } catch {
      // An error of a listener must not fail a change that was made.
    }
  };

  const attemptOf = async (call: HttpCall, scope: CallScope, attempts: number): Promise<HttpResponse> => {
    const leave = await limiter(scope);
    const attempt = scope.open(options.attemptTimeoutMs);
    try {
      const apiKey = await attempt.race(options.apiKey(() => attempt.toAbortSignal()));
      return await sendOnce({
        target,
        path: call.path,
        method: call.method,
        query: queryOf(call),
        headers: headersOf(call, apiKey),
        body: call.body === undefined ? null : JSON.stringify(call.body),
        scope,
        attempt,
        attempts,
        redact: createRedactor([apiKey]),
        words: wordsOf(call),
        onEnd: notifyAttempt,
      });
    } catch (error) {
      // The apiKey function exceeded the time limit of one request.
      if (error instanceof ScopeEnded && !scope.aborted)
        throw endedError(scope, { words: wordsOf(call), stats: emptyStats(call, attempts) });
      throw error;
    } finally {
      attempt.close();
      leave();
    }
  };

  const headersOf = (call: HttpCall, apiKey: string): string[] => [
    ...ownHeaders,
    'accept',
    'application/json',
    'accept-encoding',
    'identity',
    'authorization',
    `Bearer ${apiKey}`,
    'user-agent',
    userAgent,
    ...(call.body === undefined ? [] : ['content-type', 'application/json']),
  ];

  return async (call) => {
    if (options.readOnly && call.method !== 'GET') throw readOnlyError(call);
    const timeoutMs = call.timeoutMs ?? options.timeoutMs;
    const scope = new CallScope({ clock, timeoutMs, parent: call.signal });
    let sent = 0;
    const attempt = async (attempts: number): Promise<HttpResponse> => {
      try {
        return await attemptOf(call, scope, attempts);
      } catch (error) {
        if (!isPortalError(error)) throw error;
        sent = attempts;
        // An earlier attempt may have removed it.
        if (error.kind === 'not_found' && call.method === 'DELETE' && attempts > 1 && error.stats)
          return { status: 204, headers: {}, body: undefined, stats: error.stats };
        throw error;
      }
    };
    const delayAfter = (error: PortalError, attempts: number): number | undefined =>
      attempts <= options.maxRetries && mayRepeat(call, error)
        ? retryDelay({ attempts, retryAfterMs: error.retryAfterMs, random: options.random() })
        : undefined;
    try {
      return await retry({ scope, attempt, delayAfter });
    } catch (error) {
      if (error instanceof ScopeEnded)
        throw endedError(scope, { words: wordsOf(call), stats: emptyStats(call, sent) });
      throw error;
    } finally {
      scope.close();
    }
  };
};

/** Whether a call may be retried: only idempotent ones, never POST or PATCH. */
const mayRepeat = (call: HttpCall, error: PortalError): boolean => {
  if (call.method !== 'GET' && call.method !== 'DELETE') return false;
  return passingKinds.has(error.kind) && error.status !== 501;
};

/** Kinds of transient failures. */
const passingKinds: ReadonlySet<PortalErrorKind> = new Set(['network', 'timeout', 'rate_limited', 'server']);

const queryOf = ({ query = {} }: HttpCall): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  return params.size === 0 ? '' : `?${params.toString()}`;
};

const wordsOf = ({ method, path }: HttpCall): CallWords => ({
  label: `${method} ${path}`,
  purpose: 'the request',
  adviceOf: callAdvice,
});

/** Wraps a transport so that it only allows reads. */
export const readsOnly =
  (send: Send): Send =>
  (call) =>
    call.method === 'GET' ? send(call) : Promise.reject(readOnlyError(call));

const readOnlyError = (call: HttpCall): PortalError =>
  new PortalError(
    `${call.method} ${call.path} was not sent: this client is read-only. Remove {readOnly} to write.`,
    { kind: 'read_only', code: 'read_only', request: { method: call.method, path: call.path } },
  );
