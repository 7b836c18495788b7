import { type EmbedKey, isWebUrl, type Problem } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';

/** The header holds seconds or a date (RFC 9110, 10.2.3). */
const readRetryAfterMs = (headers: Headers): number => {
  const value = headers.get('retry-after') ?? '';
  return Number(value) * 1000 || Date.parse(value) - Date.now() || 0;
};

/** Reads a key from a backend's answer, or throws an {@link EmbedError} that says why there is none. */
export const readKeyResponse = async (response: Response, itemId: number): Promise<EmbedKey> => {
  const { status, ok, headers } = response;
  // `Object` makes any value safe to read from. Text that is not JSON counts as an empty document. The checks below cover
  // everything that a report needs of a key.
  const body = Object(await response.json().catch(() => undefined)) as EmbedKey & Partial<Problem>;
  const { key, tenantUrl, lifetimeMs, code, requestId, detail } = body;
  if (!ok) {
    const retryAfterMs = Number(body.retryAfterMs) || readRetryAfterMs(headers);
    const facts = { status, requestId, retryAfterMs };
    // A proxy's or a framework's JSON may have a `code` of another kind.
    if (typeof code === 'string') throw new EmbedError(code, facts, detail);
    throw new EmbedError(`http_${status}`, facts);
  }
  if (body.itemId !== itemId || !key || !(lifetimeMs > 0)) throw new EmbedError('backend_invalid_response');
  if (!isWebUrl(tenantUrl)) throw new EmbedError('invalid_tenant_url', { cause: tenantUrl });
  return body;
};
