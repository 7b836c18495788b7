import type { MintedKey } from '@vitrine/portal-client';

/** Options of the cache of keys. */
export interface KeyCacheOptions {
  /** Keys kept at most, for each tenant; the longest unused goes first. Default 10,000. */
  readonly maxEntries?: number;
  /** The share of a key's life after which it is no longer handed out, above 0 and below 1. Default 0.5. */
  readonly maxAgeShare?: number;
}

/** Keys that are still young enough to hand out, by who and what they were made for. */
export interface KeyCache {
  get(id: string, nowMs: number): MintedKey | undefined;
  set(id: string, minted: MintedKey, nowMs: number): void;
  readonly size: number;
}

/**
 * Makes a {@link KeyCache}. It is off by default: two page views of one viewer then share a key, so that neither the
 * portal's audit log nor a revocation can tell them apart. It pays where viewers open the same report again and again.
 */
export const createKeyCache = ({
  maxEntries = 10_000,
  maxAgeShare = 0.5,
}: KeyCacheOptions = {}): KeyCache => {
  const entries = new Map<string, { readonly minted: MintedKey; readonly untilMs: number }>();
  return {
    get: (id, nowMs) => {
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      entries.delete(id);
      if (entry.untilMs <= nowMs) return undefined;
      // A Map keeps the order of insertion, so the entry put back is now the youngest.
      entries.set(id, entry);
      return entry.minted;
    },
    set: (id, minted, nowMs) => {
      entries.delete(id);
      entries.set(id, { minted, untilMs: nowMs + (minted.expiresAtMs - nowMs) * maxAgeShare });
      if (entries.size <= maxEntries) return;
      const oldest = entries.keys().next();
      if (oldest.done !== true) entries.delete(oldest.value);
    },
    get size() {
      return entries.size;
    },
  };
};
