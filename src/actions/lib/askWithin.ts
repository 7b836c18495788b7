/** How long an answer may take, and what is asked, for the message when it takes longer. */
export interface AskLimit {
  readonly what: string;
  readonly timeoutMs: number;
  /** Ends the waiting early. */
  readonly stopped?: AbortSignal;
}

/** Waits so long for an answer. One that never comes, although its signal fires, counts as a failure: others wait for it. */
export const askWithin = async <TAnswer>(
  { what, timeoutMs, stopped }: AskLimit,
  ask: (signal: AbortSignal) => TAnswer | PromiseLike<TAnswer>,
): Promise<TAnswer> => {
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
