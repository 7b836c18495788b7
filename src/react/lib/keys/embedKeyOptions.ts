import type { DataTag, QueryKey, UnusedSkipTokenOptions } from '@tanstack/react-query';
import { defaultEndpoint } from '@vitrine/contract';
import { type CachedKey, type KeyRequestOptions, requestKey } from './requestKey.ts';

/** Options of {@link embedKeyOptions}. */
export interface EmbedKeyOptions extends KeyRequestOptions {
  /** Text that changes when another person signs in, so that nobody meets another's key. Default: none. */
  readonly viewer?: string | undefined;
}

/** How the React Query keys of all embed keys begin. */
export const embedKeyFamily = 'vitrine';

/** A key that nobody shows is good for this long. Once shown, its keeper knows better when it ends. */
const unusedKeyLivesMs = 5 * 60_000;

/** What React Query's `queryOptions` makes. Written out, because an inferred type would name a package that a host need not have. */
export type EmbedKeyQuery = UnusedSkipTokenOptions<CachedKey, Error, CachedKey> & {
  queryKey: DataTag<QueryKey, CachedKey, Error>;
};

/**
 * React Query options of an item's embed key, for loaders, `prefetchQuery`, server rendering and hydration.
 * Use them with the client that `<EmbedProvider queryClient>` shares.
 */
export const embedKeyOptions = (itemId: number, options: EmbedKeyOptions = {}): EmbedKeyQuery => {
  const { endpoint = defaultEndpoint, viewer = '' } = options;
  // Keys of other endpoints and viewers are kept apart. The tag that carries the type of the data exists in types alone.
  const queryKey = [embedKeyFamily, endpoint, viewer, itemId] as unknown as EmbedKeyQuery['queryKey'];
  return {
    queryKey,
    queryFn: ({ signal }) => requestKey(itemId, options, signal),
    staleTime: unusedKeyLivesMs,
    // When and how often to try again is the keeper's affair.
    retry: false,
    networkMode: 'always',
  };
};
