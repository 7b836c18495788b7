import { LRUCache } from 'lru-cache';
import { ageMs, type IssuedKey, keyMarginMs } from './issuedKey.ts';

/** Options of the cache of keys. */
export interface KeyCacheOptions {
  /** Maximum number of keys per tenant; the least recently used is removed. Default 10,000. */
  readonly maxEntries?: number;
  /** The share of a key's lifetime after which it is not reused, above 0 and below 1. Default 0.5. */
  readonly maxAgeShare?: number;
}

/** Keys that are young enough to reuse, by viewer and report. */
export interface KeyCache {
  get(id: string, nowMs: number): IssuedKey | undefined;
  set(id: string, issued: IssuedKey): void;
}

/**
 * Creates a {@link KeyCache}. It is off by default, because two page views of one viewer then share a key, and neither
 * the portal's audit log nor a revocation can tell them apart. It pays off if viewers open the same report repeatedly.
 */
export const createKeyCache = ({
  maxEntries = 10_000,
  maxAgeShare = 0.5,
}: KeyCacheOptions = {}): KeyCache => {
  const keys = new LRUCache<string, IssuedKey>({ max: maxEntries });
  // Subtract the margin first: the viewer must have some lifetime left, whatever the share is.
  const maxAgeMs = ({ lifetimeMs }: IssuedKey) =>
    Math.min(lifetimeMs * maxAgeShare, lifetimeMs - 2 * keyMarginMs(lifetimeMs));
  return {
    get: (id, nowMs) => {
      const issued = keys.get(id);
      return issued !== undefined && ageMs(issued, nowMs) < maxAgeMs(issued) ? issued : undefined;
    },
    set: (id, issued) => void keys.set(id, issued),
  };
};
