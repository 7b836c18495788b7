import { CancelledError, type QueryClient } from '@tanstack/react-query';
import type { EmbedKeyQuery } from './embedKeyQuery.ts';
import { isCachedKey } from './isCachedKey.ts';
import type { CachedKey } from './keyRequest.ts';

/** The place of one key in a React Query cache, which the host may share, empty, hydrate and fill. */
export interface KeyCache {
  /** Returns the key, unless what is there is none. */
  readonly read: () => CachedKey | undefined;
  /** Sends a request, or joins the one in flight. How old React Query takes the cached key to be does not matter. */
  readonly fetch: (query: EmbedKeyQuery) => Promise<CachedKey>;
  /** Removes the key, and aborts the request in flight. */
  readonly remove: () => void;
  /** Whether a request ended because somebody cancelled it. */
  readonly isCancellation: (cause: unknown) => boolean;
}

/** Creates the {@link KeyCache} of a query key. */
export const createKeyCache = (client: QueryClient, queryKey: EmbedKeyQuery['queryKey']): KeyCache => ({
  read: () => {
    const cached = client.getQueryData<CachedKey>(queryKey);
    return isCachedKey(cached) ? cached : undefined;
  },
  fetch: (query) => {
    // React Query judges age by the page's wall clock, which may have been set back: an invalid query is always fetched.
    client.getQueryCache().find({ queryKey })?.invalidate();
    // The session removes the key when it is no longer needed.
    return client.fetchQuery({ ...query, gcTime: Infinity });
  },
  remove: () => client.removeQueries({ queryKey, exact: true }),
  isCancellation: (cause) => cause instanceof CancelledError,
});
