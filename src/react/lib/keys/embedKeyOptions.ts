import type { DataTag, QueryKey, UnusedSkipTokenOptions } from '@tanstack/react-query';
import { defaultEndpoint, type EmbedKey } from '@vitrine/contract';
import { type KeyRequestOptions, requestKey } from './requestKey.ts';

/** Options of {@link embedKeyOptions}. */
export interface EmbedKeyOptions extends KeyRequestOptions {
  /** Text that changes when another person signs in, so that nobody meets another's key. Default: none. */
  readonly viewer?: string | undefined;
}

/** React Query key of an item's embed key. Keys of other endpoints and viewers are kept apart. */
export const embedKeyQueryKey = (
  itemId: number,
  { endpoint = defaultEndpoint, viewer = '' }: Pick<EmbedKeyOptions, 'endpoint' | 'viewer'> = {},
): QueryKey => ['vitrine', endpoint, viewer, itemId];

/** A key that nobody shows is used or dropped within this time. Once shown, its keeper knows better when it ends. */
const unusedKeyLivesMs = 5 * 60_000;

/** When the request for a key left, by the wall clock; known only for keys that this page asked for itself. */
const births = new WeakMap<EmbedKey, number>();

/** When the request for a key left. A key that came with the page's HTML carries the server's time. */
export const birthOf = (key: EmbedKey, cachedAt: number): number => births.get(key) ?? cachedAt;

/** What React Query's `queryOptions` makes. Written out, because an inferred type would name a package that a host need not have. */
export type EmbedKeyQuery = UnusedSkipTokenOptions<EmbedKey, Error, EmbedKey> & {
  queryKey: DataTag<QueryKey, EmbedKey, Error>;
};

/**
 * React Query options of an item's embed key, for loaders, `prefetchQuery`, server rendering and hydration.
 * Use them with the client that `<EmbedProvider queryClient>` shares.
 */
export const embedKeyOptions = (itemId: number, options: EmbedKeyOptions = {}): EmbedKeyQuery => ({
  // The tag that carries the type of the data exists in types alone.
  queryKey: embedKeyQueryKey(itemId, options) as EmbedKeyQuery['queryKey'],
  queryFn: async ({ signal }) => {
    const { Date } = options.environment ?? globalThis;
    const bornAt = Date.now();
    const key = await requestKey(itemId, options, signal);
    births.set(key, bornAt);
    return key;
  },
  staleTime: unusedKeyLivesMs,
  gcTime: unusedKeyLivesMs,
  // When and how often to try again is the keeper's affair.
  retry: false,
  networkMode: 'always',
  structuralSharing: false,
});
