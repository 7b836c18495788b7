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
export const createKeyCache = (client: QueryClient, queryKey: EmbedKeyQuery['queryKey']): KeyCache => ({
  read: () => client.getQueryData<CachedKey>(queryKey),
  fetch: (query) => {
    // React Query uses the wall clock, which may have been set back. It always fetches an invalidated query.
    client.getQueryCache().find({ queryKey })?.invalidate();
    // The session removes the key when it is no longer needed.
    return client.fetchQuery({ ...query, gcTime: Infinity });
  },
  remove: () => client.removeQueries({ queryKey, exact: true }),
});
