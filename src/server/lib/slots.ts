/** Creates slots for `total` pieces of work at once, of which at most `share` have the same key. */
export const createSlots = <TKey>(total: number, share: number) => {
  const used = new Map<TKey, number>();
  const waiters = new Set<{ readonly key: TKey; readonly start: () => void }>();
  let running = 0;
  const usedBy = (key: TKey): number => used.get(key) ?? 0;
  const isFree = (key: TKey): boolean => running < total && usedBy(key) < share;
  const take = (key: TKey): void => {
    running += 1;
    used.set(key, usedBy(key) + 1);
  };
  const wait = (key: TKey, limitMs: number, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (isStarted: boolean): void => {
        waiters.delete(waiter);
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        if (isStarted) take(key);
        resolve(isStarted);
      };
      const giveUp = (): void => end(false);
      const waiter = { key, start: () => end(true) };
      const timer = setTimeout(giveUp, limitMs);
      signal.addEventListener('abort', giveUp);
      waiters.add(waiter);
    });

  return {
    running: (): number => running,
    waiting: (): number => waiters.size,
    /** How many of a key run or wait. */
    countOf: (key: TKey): number => usedBy(key) + [...waiters].filter((waiter) => waiter.key === key).length,
    /** Resolves to true with a slot, and to false if the time passed or the signal fired before. */
    enter: async (key: TKey, limitMs: number, signal: AbortSignal): Promise<boolean> => {
      if (signal.aborted) return false;
      if (!isFree(key)) return await wait(key, limitMs, signal);
      take(key);
      return true;
    },
    /** Gives a slot to the first that waits and has a share left. */
    leave: (key: TKey): void => {
      running -= 1;
      if (usedBy(key) === 1) used.delete(key);
      else used.set(key, usedBy(key) - 1);
      for (const waiter of waiters) if (isFree(waiter.key)) return waiter.start();
    },
  };
};
