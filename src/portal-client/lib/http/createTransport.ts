import type { ParsedClientOptions } from '../client/parseClientOptions.ts';
import { PortalError, type PortalErrorKind } from '../errors/portalError.ts';
import { type CallScope, openScope } from './callScope.ts';
import { createLimiter, pause } from './createLimiter.ts';
import type { HttpAnswer, HttpCall, Send } from './httpCall.ts';
import { networkError } from './networkError.ts';
import { retryDelay } from './retryDelay.ts';
import { sendOnce } from './sendOnce.ts';

/**
 * The one place where requests leave. Everything a client does passes here, so `readOnly` refuses writes here,
 * below every resource, and nothing above can forget it.
 */
export const createTransport = (options: ParsedClientOptions): Send => {
  const { clock } = options;
  const limiter = createLimiter(options);

  const attempt = async (call: HttpCall, scope: CallScope, attempts: number): Promise<HttpAnswer> => {
    const seen = { method: call.method, path: call.path };
    const leave = await limiter(scope.signal);
    const one = openScope({ clock, timeoutMs: options.attemptTimeoutMs, parent: scope.signal });
    const startedAt = clock.now();
    const report = (status: number | undefined, requestId?: string) => {
      try {
        options.onAttempt?.({ ...seen, status, requestId, attempts, durationMs: clock.now() - startedAt });
      } catch {
        // A listener's mistake must not make a failure of a change that was made.
      }
    };
    try {
      const apiKey = await one.race(options.apiKey(one.signal));
      const answer = await sendOnce({
        call,
        dispatcher: options.dispatcher,
        url: urlOf(call, options.baseUrl),
        headers: headersOf(call, { ...options, apiKey }),
        signal: one.signal,
        attempts,
        maxResponseBytes: options.maxResponseBytes,
        nowMs: clock.now,
        secrets: [apiKey],
      });
      report(answer.status, answer.requestId);
      return answer;
    } catch (thrown) {
      const error = scope.endedBy()
        ? ended(scope, { call, attempts })
        : one.endedBy() === 'timeout'
          ? timeoutError(options.attemptTimeoutMs, { call, attempts })
          : thrown instanceof PortalError
            ? thrown
            : networkError(thrown, { request: seen, attempts, maxResponseBytes: options.maxResponseBytes });
      report(error.status, error.requestId);
      throw error;
    } finally {
      one.close();
      leave();
    }
  };

  return async (call) => {
    if (options.readOnly && call.method !== 'GET') throw readOnlyError(call);
    const timeoutMs = call.timeoutMs ?? options.timeoutMs;
    const scope = openScope({ clock, timeoutMs, parent: call.signal });
    try {
      for (let attempts = 1; ; attempts += 1) {
        if (scope.endedBy()) throw ended(scope, { call, attempts: attempts - 1 });
        try {
          return await attempt(call, scope, attempts);
        } catch (thrown) {
          const error =
            thrown instanceof PortalError ? thrown : ended(scope, { call, attempts: attempts - 1 });
          if (error.kind === 'not_found' && call.method === 'DELETE' && attempts > 1)
            return { status: 204, headers: {}, body: undefined, requestId: error.requestId, attempts };
          if (attempts > options.maxRetries || !mayRepeat(call, error)) throw error;
          const delayMs = retryDelay({
            attempts,
            retryAfterMs: error.retryAfterMs,
            random: options.random(),
          });
          // A pause that outlives the deadline helps nobody: say now what went wrong.
          if (delayMs >= scope.remainingMs()) throw error;
          await pause(delayMs, { clock, signal: scope.signal }).catch(() => {
            throw ended(scope, { call, attempts });
          });
        }
      }
    } finally {
      scope.close();
    }
  };
};

/** Only what can be sent twice without doing something twice. A POST or PATCH never is. */
const mayRepeat = (call: HttpCall, error: PortalError): boolean => {
  if (call.method !== 'GET' && call.method !== 'DELETE') return false;
  return passingKinds.has(error.kind) && error.status !== 501;
};

/** Failures that may be gone a moment later. */
const passingKinds: ReadonlySet<PortalErrorKind> = new Set(['network', 'timeout', 'rate_limited', 'server']);

const urlOf = (call: HttpCall, baseUrl: string): URL => {
  const url = new URL(baseUrl + call.path);
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
};

const headersOf = (
  call: HttpCall,
  options: {
    readonly apiKey: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly userAgent: string;
  },
): Record<string, string> => ({
  ...options.headers,
  accept: 'application/json',
  authorization: `Bearer ${options.apiKey}`,
  'user-agent': options.userAgent,
  ...(call.body !== undefined && { 'content-type': 'application/json' }),
});

interface CallState {
  readonly call: HttpCall;
  readonly attempts: number;
}

const ended = (scope: CallScope, { call, attempts }: CallState): PortalError => {
  const request = { method: call.method, path: call.path };
  return scope.endedBy() === 'aborted'
    ? new PortalError(`${request.method} ${request.path} was given up: the caller's signal fired.`, {
        kind: 'aborted',
        code: 'aborted',
        attempts,
        request,
      })
    : timeoutError(undefined, { call, attempts });
};

const timeoutError = (limitMs: number | undefined, { call, attempts }: CallState): PortalError => {
  const request = { method: call.method, path: call.path };
  const limit = limitMs === undefined ? 'the deadline of the call' : `${limitMs} ms`;
  return new PortalError(
    `${request.method} ${request.path} was not answered within ${limit}. Raise timeoutMs, or look why the portal is slow.`,
    { kind: 'timeout', code: limitMs === undefined ? 'deadline' : 'attempt_timeout', attempts, request },
  );
};

/** The same way out for reads alone: what gets it cannot write, whatever it does. */
export const readsOnly =
  (send: Send): Send =>
  (call) =>
    call.method === 'GET' ? send(call) : Promise.reject(readOnlyError(call));

const readOnlyError = (call: HttpCall): PortalError =>
  new PortalError(
    `${call.method} ${call.path} was not sent: this client is read-only. Create one without readOnly to write.`,
    { kind: 'read_only', code: 'read_only', request: { method: call.method, path: call.path } },
  );
