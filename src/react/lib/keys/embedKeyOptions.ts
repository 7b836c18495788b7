import {
  type DataTag,
  type QueryKey,
  queryOptions,
  type UnusedSkipTokenOptions,
} from '@tanstack/react-query';
import { defaultEndpoint, type EmbedKey } from '@vitrine/contract';
import { browserEnvironment } from '../life/browserEnvironment.ts';
import { pulseOf } from '../life/pulse.ts';
import { recordBirth } from './keyBirths.ts';
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

/** What `queryOptions` makes. Written out, because an inferred type would name a package that a host need not have. */
type EmbedKeyQuery = UnusedSkipTokenOptions<EmbedKey, Error, EmbedKey> & {
  queryKey: DataTag<QueryKey, EmbedKey, Error>;
};

/**
 * React Query options of an item's embed key, for loaders, `prefetchQuery`, server rendering and hydration.
 * Use them with the client that `<EmbedProvider queryClient>` shares.
 */
export const embedKeyOptions = (itemId: number, options: EmbedKeyOptions = {}): EmbedKeyQuery =>
  queryOptions({
    queryKey: embedKeyQueryKey(itemId, options),
    queryFn: async ({ signal }) => {
      const { now } = pulseOf(options.environment ?? browserEnvironment);
      const bornAt = now();
      return recordBirth(await requestKey(itemId, options, signal), bornAt);
    },
    staleTime: unusedKeyLivesMs,
    gcTime: unusedKeyLivesMs,
    // When and how often to try again is the keeper's affair.
    retry: false,
    networkMode: 'always',
    structuralSharing: false,
  });
