import { defaultEndpoint, isItemId, keysPath, requestMarkerHeader } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';
import { inspect } from '../inspectors.ts';
import { activateKey } from '../session/activeKey.ts';
import { getClock } from '../session/clock.ts';
import type { CachedKey, KeyRequestOptions } from './keyRequestOptions.ts';
import { readHeaders } from './readHeaders.ts';
import { readKeyResponse } from './readKeyResponse.ts';

/** Requests the key of an item from the host's backend. Rejects with an {@link EmbedError}. */
export const requestKey = async (
  itemId: number,
  options: KeyRequestOptions,
  signal: AbortSignal,
): Promise<CachedKey> => {
  const { environment = globalThis, endpoint = defaultEndpoint, credentials, fetch: send = fetch } = options;
  const url = endpoint + keysPath;
  if (!isItemId(itemId)) throw new EmbedError('invalid_item_id');
  inspect({ type: 'request', itemId, url });
  const requestedAt = environment.Date.now();
  const issuedAt = getClock(environment).now();
  try {
    // Send the request in the same job, unless the host has a `headers` function.
    const headers =
      typeof options.headers === 'function' ? await readHeaders(options.headers) : options.headers;
    const response = await send(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', [requestMarkerHeader]: '1' },
      // Fetch accepts undefined for the default, although its type does not.
      credentials: credentials as RequestCredentials,
      body: JSON.stringify({ itemId }),
      signal,
    });
    const key = { ...(await readKeyResponse(response, itemId)), requestedAt };
    activateKey(key, environment, issuedAt);
    return key;
  } catch (cause) {
    if (cause instanceof EmbedError) throw cause;
    // On a server `onLine` is undefined.
    const code = environment.navigator.onLine === false ? 'offline' : 'backend_unreachable';
    throw new EmbedError(code, { cause });
  }
};
