import type { FetchQueryOptions, QueryFunctionContext } from '@tanstack/react-query';
import {
  defaultEndpoint,
  type EmbedKey,
  isItemId,
  isWebUrl,
  keysPath,
  type Problem,
  problemMediaType,
  requestMarkerHeader,
} from '@vitrine/contract';
import { EmbedError } from './errors.ts';
import type { EmbedKeyOptions, EmbedKeyQuery, KeyRequestHeaders } from './keyOptions.ts';
import type { CachedKey } from './keyTime.ts';
import { clock, inTurn } from './page.ts';

/**
 * First element of every embed key's query key. Keep these queries out of caches that are persisted, or dehydrated for
 * several viewers:
 * `shouldDehydrateQuery: (query) => query.queryKey[0] !== embedKeyPrefix && defaultShouldDehydrateQuery(query)`. Their
 * `meta.isEmbedKey` is `true` as well.
 */
export const embedKeyPrefix = 'vitrine';

/** Limit of one request, from when it is sent. */
const requestTimeoutMs = 10_000;

/** Sends a request to the host's backend, in the same job unless the host has `headers`. */
export const callBackend = async (
  options: EmbedKeyOptions,
  path: string,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { readonly headers: KeyRequestHeaders },
): Promise<Response> => {
  const { endpoint = defaultEndpoint, credentials, headers: findHeaders, fetch: send = fetch } = options;
  const own = findHeaders && (await findHeaders());
  // Fetch accepts undefined for the default, although its type does not.
  const given = { credentials: credentials as RequestCredentials, headers: { ...own, ...headers } };
  return send(endpoint + path, { ...init, ...given });
};

/** Whether a response is a problem document. Anything else comes from a proxy, a firewall or another framework. */
export const isProblem = ({ headers }: Response): boolean =>
  !!headers.get('content-type')?.startsWith(problemMediaType);

/** Reads `Retry-After` in seconds. A date counts as absent: the clock of its sender may differ from the viewer's. */
export const readRetryAfterMs = ({ headers }: Response): number =>
  Number(headers.get('retry-after')) * 1000 || 0;

/** Reads a response. Throws an {@link EmbedError} if its body does not pass the check. */
export const readResponse = async <TBody extends object>(
  response: Response,
  path: string,
  isValid: (body: TBody) => boolean,
): Promise<TBody> => {
  const { status, ok, redirected } = response;
  // `Object` makes any value safe to read from. Text that is not JSON counts as an empty document.
  const body = Object(await response.json().catch(() => undefined)) as TBody & Partial<Problem>;
  if (ok && isValid(body)) return body;
  const { code, requestId, detail, retryAfterMs } = body;
  const facts = { status, requestId, retryAfterMs: Number(retryAfterMs) || readRetryAfterMs(response) };
  // A problem document of another backend may have a `code` that is not a string.
  if (!ok && isProblem(response) && typeof code === 'string') throw new EmbedError(code, facts, detail);
  // A sign-in page, for example; a router that adds a slash is no other place.
  const isElsewhere = redirected && !new URL(response.url).pathname.includes(path);
  const fallback = ok ? 'backend_invalid_response' : `http_${status}`;
  throw new EmbedError(isElsewhere ? 'signed_out' : fallback, facts);
};

/** Sends one request. It ends with the signal or after ten seconds, even if the host's `fetch` ignores that. */
const sendKeyRequest = async (
  itemId: number,
  options: EmbedKeyOptions,
  { signal, meta }: QueryFunctionContext,
): Promise<CachedKey> => {
  signal.throwIfAborted();
  const requestedAt = Date.now();
  const issuedAt = clock.now();
  const controller = new AbortController();
  const request = async () => {
    const response = await callBackend(options, keysPath, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // Renewals must not keep a viewer's session alive.
        [requestMarkerHeader]: meta?.['isAutomatic'] ? 'automatic' : 'viewer',
      },
      body: JSON.stringify({ itemId }),
      signal: controller.signal,
    });
    // These are all fields that a report needs.
    const isKey = (body: EmbedKey) => body.itemId === itemId && isCachedKey(body) && body.lifetimeMs > 0;
    const key = { ...(await readResponse(response, keysPath, isKey)), requestedAt };
    clock.activate(key, issuedAt);
    return key;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EmbedError('backend_timeout')), requestTimeoutMs);
    signal.addEventListener('abort', reject, { signal: controller.signal });
  });
  return Promise.race([request(), ended]).finally(() => {
    clearTimeout(timer);
    // Of a request that has ended, this only removes the listener.
    controller.abort();
  });
};

/** Requests the key of an item from the host's backend. Rejects with an {@link EmbedError}. */
const requestKey = async (itemId: number, options: EmbedKeyOptions, context: QueryFunctionContext) => {
  if (options.viewerKey === null) throw new EmbedError('signed_out');
  if (!isItemId(itemId)) throw new EmbedError('invalid_item_id');
  try {
    return await inTurn(() => sendKeyRequest(itemId, options, context));
  } catch (cause) {
    if (cause instanceof EmbedError) throw cause;
    // On a server `onLine` is undefined.
    throw new EmbedError(navigator.onLine === false ? 'offline' : 'backend_unreachable', { cause });
  }
};

/**
 * Whether a cached value has all fields of a key that a report needs. A persisted cache may be from another version.
 */
export const isCachedKey = (value: Partial<EmbedKey> | undefined): value is CachedKey =>
  !!value?.key && isWebUrl(value.tenantUrl);

/** An option at React Query's own default. Its types have no `undefined`, although it accepts it. */
const unset = undefined as never;

/** The host's default options do not apply: a persister or a hash function may give one viewer the data of another. */
export const withoutDefaults = {
  retry: false,
  networkMode: 'always',
  structuralSharing: false,
  _type: unset,
  behavior: unset,
  initialData: unset,
  initialDataUpdatedAt: unset,
  maxPages: unset,
  persister: unset,
  queryKeyHashFn: unset,
  retryDelay: unset,
} as const;

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
  const { endpoint = defaultEndpoint, viewerKey = '' } = options;
  return {
    // Keys of different endpoints and viewers are separate. The data tag exists only in the types.
    queryKey: [embedKeyPrefix, endpoint, viewerKey, itemId] as unknown as EmbedKeyQuery['queryKey'],
    queryFn: (context) => requestKey(itemId, options, context),
    // Age is measured by the page's clock, never by React Query's wall clock.
    staleTime: ({ state: { data } }) =>
      isCachedKey(data) && clock.now() < clock.activate(data).issuedAt + unusedKeyMs ? Infinity : -Infinity,
    meta: { isEmbedKey: true },
    gcTime: unset,
    queryHash: unset,
    ...withoutDefaults,
  } satisfies EmbedKeyQuery &
    Record<Exclude<keyof FetchQueryOptions, '_defaulted' | 'initialPageParam'>, unknown>;
};
