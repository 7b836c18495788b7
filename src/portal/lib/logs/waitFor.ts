import { type EventEmitter, once } from 'node:events';

/** What happens in a portal, for those who watch it. */
export type PortalEvents = EventEmitter<{ event: [kind: 'request' | 'delivery' | 'clock'] }>;

/** Options of waiting for entries. */
export interface WaitOptions {
  /** Entries to wait for. Default 1. */
  readonly count?: number;
  /** Time limit in real milliseconds. Default 5000. */
  readonly timeoutMs?: number;
}

/** Looks again after each event until enough entries match; rejects with the number seen after the time limit. */
export const waitFor = async <TFilter extends { readonly limit?: number }, TEntry>(
  events: PortalEvents,
  list: (filter: TFilter) => Promise<readonly TEntry[]>,
  filter: TFilter,
  { count = 1, timeoutMs = 5000 }: WaitOptions = {},
): Promise<readonly TEntry[]> => {
  const wanted = { ...filter, limit: Math.max(filter.limit ?? 100, count) };
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  try {
    for (;;) {
      const woken = once(events, 'event', { signal: stop.signal }).catch(() => {});
      const found = await list(wanted);
      if (found.length >= count) return found;
      if (stop.signal.aborted)
        throw new Error(`Waited ${timeoutMs} ms for ${count} matching entries and saw ${found.length}.`);
      await woken;
    }
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
};
