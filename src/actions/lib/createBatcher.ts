const maxBatchItems = 500;
const maxBatchBytes = 8 * 1024 * 1024;

/**
 * Group commit: items added while a batch is written become the next batch. `run` returns a result for each item, in
 * order.
 */
export const createBatcher = <TItem, TResult>(
  run: (items: readonly TItem[]) => Promise<readonly TResult[]>,
  bytesOf: (item: TItem) => number = () => 0,
) => {
  const waiting: { readonly item: TItem; readonly done: PromiseWithResolvers<TResult> }[] = [];
  let working: Promise<void> | undefined;

  const takeBatch = () => {
    let bytes = 0;
    const end = waiting.findIndex(
      ({ item }, n) => n === maxBatchItems || ((bytes += bytesOf(item)) > maxBatchBytes && n > 0),
    );
    return waiting.splice(0, end === -1 ? waiting.length : end);
  };
  const work = async (): Promise<void> => {
    // Items added in the same turn of the event loop join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        const results = await run(batch.map(({ item }) => item));
        // `run` returns one result per item.
        for (const [n, { done }] of batch.entries()) done.resolve(results[n] as TResult);
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    // Reset at once: a caller that now adds an item must start the next run.
    working = undefined;
  };

  return {
    add(item: TItem): Promise<TResult> {
      const done = Promise.withResolvers<TResult>();
      waiting.push({ item, done });
      working ??= work();
      return done.promise;
    },
    /** Resolves when no items are waiting. */
    idle: async (): Promise<void> => working,
  };
};
