interface Waiting<TItem, TResult> {
  readonly item: TItem;
  readonly bytes: number;
  readonly resolve: (result: TResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Options of {@link createBatcher}. */
export interface BatcherOptions<TItem, TResult> {
  /** Handles a batch; the results are in the order of the items. */
  readonly run: (items: readonly TItem[]) => Promise<readonly TResult[]>;
  /** Bytes of an item, which bound a batch. Default: none. */
  readonly bytesOf?: (item: TItem) => number;
}

/** Collects items while a batch is being handled. */
export interface Batcher<TItem, TResult> {
  add(item: TItem): Promise<TResult>;
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
}

const maxBatchItems = 500;
const maxBatchBytes = 8 * 1024 * 1024;

/** Group commit: whatever arrives while a batch is written becomes the next batch. */
export const createBatcher = <TItem, TResult>(
  options: BatcherOptions<TItem, TResult>,
): Batcher<TItem, TResult> => {
  const { run, bytesOf = () => 0 } = options;
  const waiting: Waiting<TItem, TResult>[] = [];
  let working: Promise<void> | undefined;

  const takeBatch = (): Waiting<TItem, TResult>[] => {
    let count = 0;
    let bytes = 0;
    for (const { bytes: own } of waiting) {
      if (count === maxBatchItems || (count > 0 && bytes + own > maxBatchBytes)) break;
      count += 1;
      bytes += own;
    }
    return waiting.splice(0, count);
  };

  const work = async (): Promise<void> => {
    // What arrives in the same turn of the event loop belongs to the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        const results = await run(batch.map(({ item }) => item));
        // One result an item, as `run` promises.
        for (const [n, { resolve }] of batch.entries()) resolve(results[n] as TResult);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    // At once, so that whoever is answered now and adds more starts the next run.
    working = undefined;
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, bytes: bytesOf(item), resolve, reject });
        working ??= work();
      }),
    idle: async () => working,
  };
};
