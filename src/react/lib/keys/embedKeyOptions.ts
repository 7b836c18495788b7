import type { DataTag, QueryKey, UnusedSkipTokenOptions } from '@tanstack/react-query';
import { defaultEndpoint, isItemId, keysPath, requestMarkerHeader } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';
import type { CachedKey, KeyRequestOptions } from './keyRequest.ts';
import { readAnswer } from './readAnswer.ts';

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
 * Use them with the client that `<EmbedProvider queryClient>` shares. The request rejects with an {@link EmbedError}.
 */
export const embedKeyOptions = (itemId: number, options: EmbedKeyOptions = {}): EmbedKeyQuery => {
  const { endpoint = defaultEndpoint, viewer = '' } = options;
  // Keys of other endpoints and viewers are kept apart. The tag that carries the type of the data exists in types alone.
  const queryKey = [embedKeyFamily, endpoint, viewer, itemId] as unknown as EmbedKeyQuery['queryKey'];
  return {
    queryKey,
    queryFn: async ({ signal }) => {
      const { environment = globalThis, headers, credentials, fetch: send = fetch } = options;
      if (!isItemId(itemId)) throw new EmbedError('invalid_item_id');
      const askedAt = environment.Date.now();
      const response = await send(endpoint + keysPath, {
        method: 'POST',
        headers: {
          ...(typeof headers === 'function' ? await headers() : headers),
          'content-type': 'application/json',
          [requestMarkerHeader]: '1',
        },
        // Fetch takes undefined for its default, which its type leaves out.
        credentials: credentials as RequestCredentials,
        body: JSON.stringify({ itemId }),
        signal,
      }).catch((cause: unknown) => {
        throw new EmbedError(environment.navigator.onLine ? 'backend_unreachable' : 'offline', { cause });
      });
      return { ...(await readAnswer(response, itemId)), askedAt };
    },
    staleTime: unusedKeyLivesMs,
    // When and how often to try again is the keeper's affair.
    retry: false,
    networkMode: 'always',
  };
};
