/** Options of waiting for entries. */
export interface WaitOptions {
  /** Entries to wait for. Default 1. */
  readonly count?: number;
  /** Time limit in real milliseconds. Default 5000. */
  readonly timeoutMs?: number;
}

/** Listeners for new entries. */
export interface Notifier {
  readonly notify: () => void;
  readonly onNotify: (listener: () => void) => () => void;
}

/** Creates a {@link Notifier}. */
export const createNotifier = (): Notifier => {
  const listeners = new Set<() => void>();
  return {
    notify: () => {
      const present = [...listeners];
      for (const listener of present) listener();
    },
    onNotify: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The filter, with a limit of at least the awaited number of entries. */
export const enough = <TFilter extends { readonly limit?: number }>(
  filter: TFilter,
  { count = 1 }: WaitOptions,
): TFilter & { readonly limit: number } => ({ ...filter, limit: Math.max(filter.limit ?? 100, count) });

/** Checks again after each new entry until there are enough; rejects with the number seen after the time limit. */
export const waitFor = async <TEntry>(
  notifier: Notifier,
  find: () => Promise<readonly TEntry[]>,
  { count = 1, timeoutMs = 5000 }: WaitOptions,
): Promise<readonly TEntry[]> => {
  let wake: (() => void) | undefined;
  let isTimeUp = false;
  const stopListening = notifier.onNotify(() => wake?.());
  const timer = setTimeout(() => {
    isTimeUp = true;
    wake?.();
  }, timeoutMs);
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const found = await find();
      if (found.length >= count) return found;
      if (isTimeUp)
        throw new Error(`Waited ${timeoutMs} ms for ${count} matching entries and saw ${found.length}.`);
      await woken;
    }
  } finally {
    clearTimeout(timer);
    stopListening();
  }
};
