import { type EmbedKey, isWebUrl, type Problem } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';
import { isProblem } from './isProblem.ts';
import { readRetryAfterMs } from './readRetryAfterMs.ts';

/** Reads a key from a backend's response. Throws an {@link EmbedError} if there is none. */
export const readKeyResponse = async (response: Response, itemId: number): Promise<EmbedKey> => {
  const { status, ok } = response;
  // `Object` makes any value safe to read from. Text that is not JSON counts as an empty document. The checks below
  // cover all fields that a report needs.
  const body = Object(await response.json().catch(() => undefined)) as EmbedKey & Partial<Problem>;
  const { key, tenantUrl, lifetimeMs, code, requestId, detail } = body;
  if (!ok) {
    const retryAfterMs = Number(body.retryAfterMs) || readRetryAfterMs(response);
    const facts = { status, requestId, retryAfterMs };
    // A problem document of another backend may have a `code` that is not a string.
    const isOwn = isProblem(response) && typeof code === 'string';
    throw new EmbedError(isOwn ? code : `http_${status}`, facts, detail);
  }
  if (body.itemId !== itemId || !key || !(lifetimeMs > 0)) throw new EmbedError('backend_invalid_response');
  if (!isWebUrl(tenantUrl)) throw new EmbedError('invalid_tenant_url', { cause: tenantUrl });
  return body;
};
