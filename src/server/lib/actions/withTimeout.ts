/** Waits for an answer within a time limit. Rejects after it, even if the call ignores its signal. */
export const withTimeout = async <TResult>(
  limit: {
    /** What takes too long, for the message. */
    readonly what: string;
    readonly timeoutMs: number;
    /** Stops waiting early. */
    readonly stopped?: AbortSignal;
  },
  ask: (signal: AbortSignal) => TResult | PromiseLike<TResult>,
): Promise<TResult> => {
  const { what, timeoutMs, stopped } = limit;
  const late = new AbortController();
  const signal = AbortSignal.any([late.signal, ...(stopped ? [stopped] : [])]);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  const tooLate = (): void => late.abort(new Error(`${what} took longer than ${timeoutMs} ms.`));
  const timer = setTimeout(tooLate, timeoutMs);
  try {
    signal.throwIfAborted();
    return await Promise.race([ask(signal), ended]);
  } finally {
    clearTimeout(timer);
    // Nobody is waiting anymore, and an unhandled rejection would end the process.
    signal.removeEventListener('abort', onAbort);
  }
};
