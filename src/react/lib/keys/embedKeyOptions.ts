import type { FetchQueryOptions } from '@tanstack/react-query';
import { defaultEndpoint } from '@vitrine/contract';
import { activateKey } from '../session/activeKey.ts';
import { getClock } from '../session/clock.ts';
import type { EmbedKeyQuery } from './embedKeyQuery.ts';
import { isCachedKey } from './isCachedKey.ts';
import type { KeyRequestOptions } from './keyRequestOptions.ts';
import { requestKey } from './requestKey.ts';

/** Options of {@link embedKeyOptions}. */
export interface EmbedKeyOptions extends KeyRequestOptions {
  /** A text that changes when another person signs in, so that no viewer gets another viewer's key. Default: none. */
  readonly viewer?: string | undefined;
}

/**
 * First element of every embed key's query key. Keep these queries out of caches that are persisted, or dehydrated for
 * several viewers:
 * `shouldDehydrateQuery: (query) => query.queryKey[0] !== embedKeyPrefix && defaultShouldDehydrateQuery(query)`. Their
 * `meta.isEmbedKey` is `true` as well.
 */
export const embedKeyPrefix = 'vitrine';

/** An option at React Query's own default. Its types have no `undefined`, although it accepts it. */
const unset = undefined as never;

/** How long a key that no report shows stays in the cache. The session of a shown key manages its expiry. */
const unusedKeyMs = 5 * 60_000;

/**
 * React Query options of an item's embed key, for loaders, `prefetchQuery`, server rendering and hydration.
 * Use them with the client that `<EmbedProvider queryClient>` shares. The request rejects with an {@link EmbedError}.
 *
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/react-query';
 * import { embedKeyOptions } from '@vitrine/react';
 *
 * const queryClient = new QueryClient();
 * await queryClient.prefetchQuery(embedKeyOptions(1042));
 * ```
 */
export const embedKeyOptions = (itemId: number, options: EmbedKeyOptions = {}): EmbedKeyQuery => {
  const { endpoint = defaultEndpoint, viewer = '', environment = globalThis } = options;
  return {
    // Keys of different endpoints and viewers are separate. The data tag exists only in the types.
    queryKey: [embedKeyPrefix, endpoint, viewer, itemId] as unknown as EmbedKeyQuery['queryKey'],
    queryFn: ({ signal }) => requestKey(itemId, options, signal),
    // Age is measured by the page's clock, never by React Query's wall clock.
    staleTime: ({ state: { data } }) => {
      const isFresh =
        isCachedKey(data) &&
        getClock(environment).now() < activateKey(data, environment).issuedAt + unusedKeyMs;
      return isFresh ? Infinity : -Infinity;
    },
    // Keys are compared by identity.
    structuralSharing: false,
    meta: { isEmbedKey: true },
    // The session decides when to retry.
    retry: false,
    networkMode: 'always',
    // Otherwise the host's default options apply, and a persister or a hash function may give one viewer the key of another.
    _type: unset,
    behavior: unset,
    gcTime: unset,
    initialData: unset,
    initialDataUpdatedAt: unset,
    maxPages: unset,
    persister: unset,
    queryHash: unset,
    queryKeyHashFn: unset,
    retryDelay: unset,
  } satisfies EmbedKeyQuery &
    Record<Exclude<keyof FetchQueryOptions, '_defaulted' | 'initialPageParam'>, unknown>;
};
