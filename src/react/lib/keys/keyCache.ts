import type { QueryClient } from '@tanstack/react-query';
import type { EmbedKeyQuery } from './embedKeyQuery.ts';
import type { CachedKey } from './keyRequest.ts';

/** The place of one key in a React Query cache, which the host may share, empty, hydrate and fill. */
export interface KeyCache {
  /** Returns what is there, which need not be a key. */
  readonly read: () => Partial<CachedKey> | undefined;
  /** Sends a request, or joins the one in flight. How old React Query takes the cached key to be does not matter. */
  readonly fetch: (query: EmbedKeyQuery) => Promise<CachedKey>;
  /** Removes the key, and aborts the request in flight. */
  readonly remove: () => void;
}

/** Creates the {@link KeyCache} of a query key. */
export const createKeyCache = (client: QueryClient, queryKey: EmbedKeyQuery['queryKey']): KeyCache => ({
  read: () => client.getQueryData<CachedKey>(queryKey),
  fetch: (query) => {
    // React Query judges age by the page's wall clock, which may have been set back: an invalid query is always fetched.
    client.getQueryCache().find({ queryKey })?.invalidate();
    // The session removes the key when it is no longer needed.
    return client.fetchQuery({ ...query, gcTime: Infinity });
  },
  remove: () => client.removeQueries({ queryKey, exact: true }),
});
