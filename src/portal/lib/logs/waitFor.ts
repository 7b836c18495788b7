/** How long to wait, and for how many. */
export interface WaitOptions {
  /** Entries to wait for. Default 1. */
  readonly count?: number;
  /** Longest wait in real milliseconds. Default 5000. */
  readonly timeoutMs?: number;
}

/** Callbacks that want to know of new entries. */
export interface Notifier {
  readonly notify: () => void;
  readonly onNotify: (listener: () => void) => () => void;
}

/** Makes a {@link Notifier}. */
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

/** The filter, with a limit that lets as many entries through as are waited for. */
export const enough = <TFilter extends { readonly limit?: number }>(
  filter: TFilter,
  { count = 1 }: WaitOptions,
): TFilter & { readonly limit: number } => ({ ...filter, limit: Math.max(filter.limit ?? 100, count) });

/** Looks again after each new entry until there are enough; rejects with what was seen when time is up. */
export const waitFor = async <TEntry>(
  notifier: Notifier,
  look: () => Promise<readonly TEntry[]>,
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
      const found = await look();
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
