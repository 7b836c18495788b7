import type { DataTag, QueryKey, UnusedSkipTokenOptions } from '@tanstack/react-query';
import type { CachedKey } from './keyRequestOptions.ts';

/**
 * The return type of React Query's `queryOptions`. Written out, because an inferred type would refer to a package that
 * the host may not have.
 */
export type EmbedKeyQuery = UnusedSkipTokenOptions<CachedKey, Error, CachedKey> & {
  queryKey: DataTag<QueryKey, CachedKey>;
};
