import type { Clock } from './clock.ts';

/** Why a scope ended before its work did. */
export type ScopeEnd = 'timeout' | 'aborted';

/** One stretch of work with a deadline and a caller's signal: a whole call, or one request of it. */
export interface CallScope {
  /** Fires when the deadline passes or the parent signal fires. */
  readonly signal: AbortSignal;
  /** Why the signal fired, or nothing while it has not. */
  readonly endedBy: () => ScopeEnd | undefined;
  /** Milliseconds until the deadline. */
  readonly remainingMs: () => number;
  /** Settles as `work` does, or rejects at once when the scope ends. */
  readonly race: <TValue>(work: Promise<TValue>) => Promise<TValue>;
  /** Takes the timer and the listeners back. */
  readonly close: () => void;
}

/** What {@link openScope} needs. */
export interface ScopeOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly parent?: AbortSignal | undefined;
}

/** Opens a scope. Whoever opens it closes it, so that a long-lived parent signal collects no listeners. */
export const openScope = ({ clock, timeoutMs, parent }: ScopeOptions): CallScope => {
  const controller = new AbortController();
  const deadline = clock.now() + timeoutMs;
  let ended: ScopeEnd | undefined;
  const end = (reason: ScopeEnd) => {
    if (ended !== undefined) return;
    ended = reason;
    controller.abort();
  };
  const abort = () => end('aborted');
  const cancelTimer = clock.after(timeoutMs, () => end('timeout'));
  if (parent?.aborted) abort();
  else parent?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    endedBy: () => ended,
    remainingMs: () => Math.max(0, deadline - clock.now()),
    race: (work) => raceSignal(work, controller.signal),
    close: () => {
      cancelTimer();
      parent?.removeEventListener('abort', abort);
    },
  };
};

const raceSignal = <TValue>(work: Promise<TValue>, signal: AbortSignal): Promise<TValue> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
