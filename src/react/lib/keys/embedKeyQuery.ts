import type { DataTag, QueryKey, UnusedSkipTokenOptions } from '@tanstack/react-query';
import type { CachedKey } from './keyRequest.ts';

/** What React Query's `queryOptions` returns. Written out, because an inferred type would name a package that a host need not have. */
export type EmbedKeyQuery = UnusedSkipTokenOptions<CachedKey, Error, CachedKey> & {
  queryKey: DataTag<QueryKey, CachedKey>;
};
