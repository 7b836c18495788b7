/** A time limit, and what it applies to, for the message of a timeout. */
export interface AskLimit {
  readonly what: string;
  readonly timeoutMs: number;
  /** Stops waiting early. */
  readonly stopped?: AbortSignal;
}

/** Waits for an answer within a time limit. Rejects after it, even if the call ignores its signal. */
export const withTimeout = async <TResult>(
  { what, timeoutMs, stopped }: AskLimit,
  ask: (signal: AbortSignal) => TResult | PromiseLike<TResult>,
): Promise<TResult> => {
  const late = new AbortController();
  const signal = stopped === undefined ? late.signal : AbortSignal.any([stopped, late.signal]);
  const ended = Promise.withResolvers<never>();
  const onAbort = (): void => ended.reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  const timer = setTimeout(
    () => late.abort(new Error(`${what} took longer than ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    signal.throwIfAborted();
    return await Promise.race([ask(signal), ended.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
};
