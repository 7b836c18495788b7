import { defaultEndpoint, type EmbedKey, isItemId, keysPath, requestMarkerHeader } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';
import type { Environment } from '../life/environment.ts';
import { readAnswer } from './readAnswer.ts';

/** Headers by name. */
export type KeyRequestHeaders = Readonly<Record<string, string>>;

/** How the host's backend is asked for keys. */
export interface KeyRequestOptions {
  /** Where the backend mounts Vitrine. Default `/api/embed`. */
  readonly endpoint?: string | undefined;
  /** Sends the request. Default: the page's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Further headers, or a function that gives them for each request: for hosts with bearer tokens. */
  readonly headers?: KeyRequestHeaders | (() => KeyRequestHeaders | Promise<KeyRequestHeaders>) | undefined;
  /** Whether cookies travel. Default `same-origin`; `include` for a backend on another origin. */
  readonly credentials?: RequestCredentials | undefined;
  /** Clock, random numbers and state of the page. Default: the browser's. For tests. */
  readonly environment?: Environment | undefined;
}

/** A key as the cache holds it. */
export interface CachedKey extends EmbedKey {
  /** When its request left, by the wall clock of whoever asked: the page, or the server that sent its HTML. */
  readonly askedAt: number;
}

/** Asks the host's backend for a key. Rejects with an {@link EmbedError}. */
export const requestKey = async (
  itemId: number,
  options: KeyRequestOptions,
  signal: AbortSignal,
): Promise<CachedKey> => {
  const {
    endpoint = defaultEndpoint,
    environment = globalThis,
    headers,
    credentials,
    fetch: send = fetch,
  } = options;
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
};
