/**
 * Runs `work` for all values, at most `concurrency` at a time, until `shouldStop`. After a failure, starts no more, and
 * rejects once all running work has ended.
 */
export const runPool = async <TValue>(
  values: Iterable<TValue>,
  work: (value: TValue) => Promise<void>,
  options: { readonly concurrency: number; readonly shouldStop: () => boolean },
): Promise<void> => {
  const iterator = values[Symbol.iterator]();
  const state = { hasFailed: false };
  const worker = async () => {
    while (!state.hasFailed && !options.shouldStop()) {
      const next = iterator.next();
      if (next.done) return;
      await work(next.value).catch((error: unknown) => {
        state.hasFailed = true;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: options.concurrency }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
};
