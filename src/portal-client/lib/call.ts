import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallStats,
  type CallWords,
  callError,
  isPortalError,
  longestTimerMs,
  type PortalError,
} from './errors.ts';

/** Options of every call. */
export type CallOptions = {
  /** Aborts the call in any phase: queueing, connecting, reading, waiting before a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole call including retries, in milliseconds. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Headers of this call, in addition to the client's. `authorization` cannot be set here. */
  readonly headers?: Headers | Readonly<Record<string, string>> | undefined;
};

/** What a call is. */
interface CallFacts extends Pick<CallStats, 'method' | 'path'> {
  readonly words: CallWords;
}

/** A call in progress. */
export interface RunningCall extends CallFacts {
  /** Fires at the deadline, or when the caller aborts. */
  readonly signal: AbortSignal;
  /** Creates the error of a call that the signal ended. */
  readonly endedError: (stats?: Partial<CallStats>) => PortalError;
  /** Requests sent so far. */
  attempts: number;
}

/** How a call is made. */
interface CallPlan<TValue> extends CallFacts {
  readonly signal: CallOptions['signal'];
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly mayRepeat: (error: PortalError) => boolean;
  readonly attempt: (call: RunningCall) => Promise<TValue>;
}

/** Makes a call: attempts until one succeeds, an error is final, the deadline passes or the caller aborts. */
export const runCall = async <TValue>(plan: CallPlan<TValue>): Promise<TValue> => {
  const { signal: caller, timeoutMs, words, method, path } = plan;
  const endMs = performance.now() + timeoutMs;
  const ending = new AbortController();
  const { signal } = ending;
  const call: RunningCall = {
    method,
    path,
    words,
    signal,
    endedError: (stats) => {
      const facts = { method, path, attempts: call.attempts, durationMs: 0, ...stats };
      return caller?.aborted === true
        ? callError(words, 'The caller aborted the call.', { kind: 'aborted', code: 'aborted', stats: facts })
        : timeoutError('deadline', words, facts);
    },
    attempts: 0,
  };
  if (caller?.aborted === true) throw call.endedError();

  const attempts = async (): Promise<TValue> => {
    for (let retries = 0; ; retries += 1) {
      try {
        return await plan.attempt(call);
      } catch (error) {
        if (!isPortalError(error) || retries >= plan.maxRetries || !plan.mayRepeat(error)) throw error;
        const delayMs = retryDelay(retries, error.stats?.retryAfterMs);
        // The delay would exceed the deadline: fail now.
        if (performance.now() + delayMs >= endMs) throw error;
        await sleep(delayMs, undefined, { signal });
      }
    }
  };

  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = () => {
    ending.abort();
    // A request in flight reports first: it knows whether a response had begun.
    setImmediate(() => reject(call.endedError()));
  };
  // AbortSignal.timeout() would run on after the call, and AbortSignal.any() costs more than the request.
  const timer = setTimeout(end, Math.min(Math.ceil(timeoutMs), longestTimerMs)).unref();
  caller?.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([attempts(), ended]);
  } catch (error) {
    throw signal.aborted && !isPortalError(error) ? call.endedError() : error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', end);
  }
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

/** The error of a call that took too long. */
export const timeoutError = (
  code: 'deadline' | 'attempt_timeout',
  words: CallWords,
  stats: CallStats,
): PortalError =>
  callError(
    words,
    stats.status === undefined
      ? 'The portal did not respond in time.'
      : `The portal did not finish its response (status ${stats.status}) in time.`,
    { kind: 'timeout', code, stats },
  );
