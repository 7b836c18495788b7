/** Runs `work` over values, at most `concurrency` at a time, until they are through or `shouldStop` says so. */
export const runPool = async <TValue>(
  values: Iterable<TValue>,
  work: (value: TValue) => Promise<void>,
  options: { readonly concurrency: number; readonly shouldStop: () => boolean },
): Promise<void> => {
  const iterator = values[Symbol.iterator]();
  const worker = async () => {
    while (!options.shouldStop()) {
      const next = iterator.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
};
