/** Collects calls so that those which wait share one piece of work. */
export interface MicroBatch<TItem, TResult> {
  add(item: TItem): Promise<TResult>;
  /** Resolves when nothing waits any more. */
  drain(): Promise<void>;
}

interface Waiting<TItem, TResult> {
  readonly item: TItem;
  readonly resolve: (result: TResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs one batch at a time; what arrives meanwhile is the next one. The work answers each item in its place. */
export const createMicroBatch = <TItem, TResult>(
  work: (items: readonly TItem[]) => Promise<readonly TResult[]>,
  maxItems: number,
): MicroBatch<TItem, TResult> => {
  let waiting: Waiting<TItem, TResult>[] = [];
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      try {
        const results = await work(batch.map(({ item }) => item));
        // The work answers as many results as it was given items.
        batch.forEach(({ resolve }, index) => resolve(results[index] as TResult));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = undefined;
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= new Promise((next) => setImmediate(next)).then(run);
      }),
    async drain() {
      await running;
      if (waiting.length > 0) await this.drain();
    },
  };
};
