import { EventEmitter, once } from 'node:events';

/** Options of waiting for entries. */
export interface WaitOptions {
  /** Entries to wait for. Default 1. */
  readonly count?: number;
  /** Time limit in real milliseconds. Default 5000. */
  readonly timeoutMs?: number;
}

/** The filter of a log. Fields without a meaning of their own must equal those of the entry. */
interface LogFilter {
  readonly afterId?: number | undefined;
  readonly text?: string | undefined;
  readonly limit?: number | undefined;
  readonly path?: string | undefined;
}

const maxEntries = 10_000;
const maxBytes = 64 * 1024 * 1024;

/** Whether a path is the given one, or starts with it if that ends with `*`. */
export const matchesPath = (pattern: string, path: unknown): boolean =>
  pattern.endsWith('*') ? String(path).startsWith(pattern.slice(0, -1)) : path === pattern;

/** Creates a log in memory, the newest entries at the end. A filter's `text` is looked for in the texts of an entry. */
export const createLog = <TFilter extends LogFilter, TEntry extends { readonly id: number }>(
  textsOf: (entry: TEntry) => readonly (string | null)[],
) => {
  // Each wait listens.
  const events = new EventEmitter().setMaxListeners(0);
  const kept: { readonly entry: TEntry; readonly bytes: number }[] = [];
  let lastId = 0;
  let heldBytes = 0;

  const list = async (filter?: TFilter): Promise<TEntry[]> => {
    const { afterId = 0, text = '', limit = 100, path, ...exact }: LogFilter = filter ?? {};
    const wanted = Object.entries(exact).filter(([, value]) => value !== undefined);
    const wantedText = text.toLowerCase();
    return kept
      .map(({ entry }) => entry)
      .filter(
        (entry) =>
          entry.id > afterId &&
          wanted.every(([name, value]) => Reflect.get(entry, name) === value) &&
          (path === undefined || matchesPath(path, Reflect.get(entry, 'path'))) &&
          (text === '' || textsOf(entry).some((part) => part?.toLowerCase().includes(wantedText))),
      )
      .slice(-limit);
  };

  /** Looks again after each new entry until enough entries match; rejects with the number seen after the time limit. */
  const waitFor = async (
    filter: TFilter,
    { count = 1, timeoutMs = 5000 }: WaitOptions = {},
  ): Promise<readonly TEntry[]> => {
    const wanted = { ...filter, limit: Math.max(filter.limit ?? 100, count) };
    const signal = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const woken = once(events, 'added', { signal }).catch(() => {});
      const found = await list(wanted);
      if (found.length >= count) return found;
      if (signal.aborted)
        throw new Error(`Waited ${timeoutMs} ms for ${count} matching entries and saw ${found.length}.`);
      await woken;
    }
  };

  return {
    list,
    waitFor,
    add: (bytes: number, toEntry: (id: number) => TEntry): void => {
      lastId += 1;
      kept.push({ entry: toEntry(lastId), bytes });
      heldBytes += bytes;
      while (kept.length > maxEntries || heldBytes > maxBytes) heldBytes -= kept.shift()?.bytes ?? 0;
      events.emit('added');
    },
    clear: async (): Promise<void> => {
      kept.length = 0;
      heldBytes = 0;
    },
  };
};
