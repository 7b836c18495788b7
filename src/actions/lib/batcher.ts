const maxBatchItems = 500;
const maxBatchBytes = 8 * 1024 * 1024;

/** Group commit: whatever is added while a batch is written becomes the next batch. `run` gives a result for each item, in order. */
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
    // What arrives in the same turn of the event loop belongs to the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        const results = await run(batch.map(({ item }) => item));
        // One result an item, as `run` promises.
        for (const [n, { done }] of batch.entries()) done.resolve(results[n] as TResult);
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    // At once, so that whoever is answered now and adds more starts the next run.
    working = undefined;
  };

  return {
    add(item: TItem): Promise<TResult> {
      const done = Promise.withResolvers<TResult>();
      waiting.push({ item, done });
      working ??= work();
      return done.promise;
    },
    /** Resolves when nothing waits any more. */
    idle: async (): Promise<void> => working,
  };
};
