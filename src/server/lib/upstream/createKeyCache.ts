import { LRUCache } from 'lru-cache';
import { ageMs, type IssuedKey, keyMarginMs } from './issuedKey.ts';

/** Options of the cache of keys. */
export interface KeyCacheOptions {
  /** Maximum number of keys per tenant; the least recently used is removed. Default 10,000. */
  readonly maxEntries?: number;
  /** The share of a key's lifetime after which it is not reused, above 0 and below 1. Default 0.5. */
  readonly maxAgeShare?: number;
}

/** Keys that are still young enough to hand out, by who and what they were issued for. */
export interface KeyCache {
  get(id: string, nowMs: number): IssuedKey | undefined;
  set(id: string, issued: IssuedKey): void;
}

/**
 * Creates a {@link KeyCache}. It is off by default: two page views of one viewer then share a key, so that neither the
 * portal's audit log nor a revocation can tell them apart. It pays where viewers open the same report again and again.
 */
export const createKeyCache = ({
  maxEntries = 10_000,
  maxAgeShare = 0.5,
}: KeyCacheOptions = {}): KeyCache => {
  const keys = new LRUCache<string, IssuedKey>({ max: maxEntries });
  // The margin is taken off what is left, and of that the viewer has to have something, whatever the share says.
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
