/** Slots for work, of which one key has a share. */
export interface Slots<TKey> {
  readonly running: number;
  readonly waiting: number;
  /** How many of a key run or wait. */
  readonly countOf: (key: TKey) => number;
  /** Resolves to true with a slot, and to false if the time passed or the signal fired before. */
  readonly enter: (key: TKey, limitMs: number, signal: AbortSignal) => Promise<boolean>;
  /** Gives a slot to the first that waits and has a share left. */
  readonly leave: (key: TKey) => void;
}

interface Share {
  running: number;
  waiting: number;
}

/** Creates slots for `total` pieces of work at once, of which at most `share` have the same key. */
export const createSlots = <TKey>(total: number, share: number): Slots<TKey> => {
  const shares = new Map<TKey, Share>();
  const waiters = new Set<{ readonly own: Share; readonly start: () => void }>();
  let running = 0;
  const isFree = (own: Share): boolean => running < total && own.running < share;
  const start = (own: Share): void => {
    running += 1;
    own.running += 1;
  };
  const forget = (key: TKey): void => {
    const own = shares.get(key);
    if (own?.running === 0 && own.waiting === 0) shares.delete(key);
  };
  const wait = (own: Share, limitMs: number, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (isStarted: boolean): void => {
        waiters.delete(waiter);
        own.waiting -= 1;
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        if (isStarted) start(own);
        resolve(isStarted);
      };
      const giveUp = (): void => end(false);
      const waiter = { own, start: () => end(true) };
      const timer = setTimeout(giveUp, limitMs);
      signal.addEventListener('abort', giveUp);
      waiters.add(waiter);
      own.waiting += 1;
    });

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiters.size;
    },
    countOf: (key) => {
      const { running: used = 0, waiting = 0 } = shares.get(key) ?? {};
      return used + waiting;
    },
    enter: async (key, limitMs, signal) => {
      if (signal.aborted) return false;
      const own = shares.get(key) ?? { running: 0, waiting: 0 };
      shares.set(key, own);
      if (isFree(own)) {
        start(own);
        return true;
      }
      const isStarted = await wait(own, limitMs, signal);
      if (!isStarted) forget(key);
      return isStarted;
    },
    leave: (key) => {
      running -= 1;
      const own = shares.get(key);
      if (own !== undefined) own.running -= 1;
      forget(key);
      for (const waiter of waiters) if (isFree(waiter.own)) return waiter.start();
    },
  };
};
