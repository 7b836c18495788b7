/** Creates slots for `total` pieces of work at once. Each has keys, and `shares` limits those with the same first key, and so on. */
export const createSlots = <TKey>(total: number, shares: readonly number[]) => {
  const used = new Map<TKey, number>();
  const waiters = new Set<{ readonly keys: readonly TKey[]; readonly start: () => void }>();
  let running = 0;
  const usedBy = (key: TKey): number => used.get(key) ?? 0;
  const isFree = (keys: readonly TKey[]): boolean =>
    running < total && keys.every((key, index) => usedBy(key) < (shares[index] ?? total));
  const take = (keys: readonly TKey[]): void => {
    running += 1;
    for (const key of keys) used.set(key, usedBy(key) + 1);
  };
  const wait = (keys: readonly TKey[], limitMs: number, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (isStarted: boolean): void => {
        waiters.delete(waiter);
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        if (isStarted) take(keys);
        resolve(isStarted);
      };
      const giveUp = (): void => end(false);
      const waiter = { keys, start: () => end(true) };
      const timer = setTimeout(giveUp, limitMs);
      signal.addEventListener('abort', giveUp);
      waiters.add(waiter);
    });

  return {
    running: (): number => running,
    waiting: (): number => waiters.size,
    /** How many of a key run or wait. */
    countOf: (key: TKey): number =>
      usedBy(key) + [...waiters].filter((waiter) => waiter.keys.includes(key)).length,
    /** Resolves to true with a slot, and to false if the time passed or the signal fired before. */
    enter: async (keys: readonly TKey[], limitMs: number, signal: AbortSignal): Promise<boolean> => {
      if (signal.aborted) return false;
      if (!isFree(keys)) return await wait(keys, limitMs, signal);
      take(keys);
      return true;
    },
    /** Gives slots to the first that wait and have a share left. */
    leave: (keys: readonly TKey[]): void => {
      running -= 1;
      for (const key of keys)
        if (usedBy(key) === 1) used.delete(key);
        else used.set(key, usedBy(key) - 1);
      for (const waiter of waiters) if (isFree(waiter.keys)) waiter.start();
    },
  };
};
