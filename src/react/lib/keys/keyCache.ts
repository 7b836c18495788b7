import type { QueryClient } from '@tanstack/react-query';
import type { EmbedKeyQuery } from './embedKeyQuery.ts';
import type { CachedKey } from './keyRequestOptions.ts';

/** The entry of one key in a React Query cache, which the host may share, empty, hydrate and fill. */
export interface KeyCache {
  /** Returns the cached value, which may not be a key. */
  readonly read: () => Partial<CachedKey> | undefined;
  /** Sends a request, or joins the one in flight, whatever age React Query computes for the cached key. */
  readonly fetch: (query: EmbedKeyQuery) => Promise<CachedKey>;
  /** Removes the key, and aborts the request in flight. */
  readonly remove: () => void;
}

/** Creates the {@link KeyCache} of a query key. */
export const createKeyCache = (client: QueryClient, queryKey: EmbedKeyQuery['queryKey']): KeyCache => {
  const cache = client.getQueryCache();
  // A search by query key would use the host's hash function. This is the hash by React Query's own.
  const find = () => cache.get<CachedKey>(JSON.stringify(queryKey));
  return {
    read: () => find()?.state.data,
    fetch: (query) => {
      // React Query uses the wall clock, which may have been set back. It always fetches an invalidated query.
      find()?.invalidate();
      // The session removes the key when it is no longer needed.
      return client.fetchQuery({ ...query, gcTime: Infinity });
    },
    remove: () => {
      const entry = find();
      if (entry) cache.remove(entry);
    },
  };
};
