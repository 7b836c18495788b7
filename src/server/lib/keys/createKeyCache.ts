import { keyMarginMs, type ReadyKey } from './readyKey.ts';

/** Options of the cache of keys. */
export interface KeyCacheOptions {
  /** Keys kept at most, for each tenant; of these at least the half that was used last. Default 10,000. */
  readonly maxEntries?: number;
  /** The share of a key's life after which it is no longer handed out, above 0 and below 1. Default 0.5. */
  readonly maxAgeShare?: number;
}

/** Keys that are still young enough to hand out, by who and what they were made for. */
export interface KeyCache {
  get(id: string, nowMs: number): ReadyKey | undefined;
  set(id: string, ready: ReadyKey, nowMs: number): void;
}

interface Entry {
  readonly ready: ReadyKey;
  readonly untilMs: number;
}

/**
 * Makes a {@link KeyCache}. It is off by default: two page views of one viewer then share a key, so that neither the
 * portal's audit log nor a revocation can tell them apart. It pays where viewers open the same report again and again.
 *
 * Entries live in two maps, each for half of them. What is used moves to the young one; when that is full it becomes
 * the old one, and what nobody used since is dropped with the old one at once. No hit has to put an order right. When the
 * clock is set back all are dropped: how old they are, and so when they end, is then no longer known.
 */
export const createKeyCache = ({
  maxEntries = 10_000,
  maxAgeShare = 0.5,
}: KeyCacheOptions = {}): KeyCache => {
  const half = Math.max(1, Math.floor(maxEntries / 2));
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  let lastMs = Number.NEGATIVE_INFINITY;
  const look = (nowMs: number) => {
    if (nowMs < lastMs) {
      young = new Map();
      old = new Map();
    }
    lastMs = nowMs;
  };
  const put = (id: string, entry: Entry) => {
    if (young.size >= half) {
      old = young;
      young = new Map();
    }
    young.set(id, entry);
  };
  return {
    get: (id, nowMs) => {
      look(nowMs);
      let entry = young.get(id);
      if (entry === undefined) {
        entry = old.get(id);
        if (entry !== undefined) put(id, entry);
      }
      return entry !== undefined && entry.untilMs > nowMs ? entry.ready : undefined;
    },
    set: (id, ready, nowMs) => {
      look(nowMs);
      const lifeMs = ready.expiresAtMs - nowMs;
      // The margin is taken off what is left, and of that the viewer has to have something, whatever the share says.
      const latestMs = ready.expiresAtMs - 2 * keyMarginMs(lifeMs);
      put(id, { ready, untilMs: Math.min(nowMs + lifeMs * maxAgeShare, latestMs) });
    },
  };
};
