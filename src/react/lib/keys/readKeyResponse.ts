import { type EmbedKey, isWebUrl, type Problem } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';
import { isProblem } from './isProblem.ts';

/** `Retry-After` is seconds or a date (RFC 9110, 10.2.3) by the sender's clock, which may differ from the viewer's. */
const readRetryAfterMs = ({ headers }: Response): number => {
  const value = headers.get('retry-after') ?? '';
  const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
  return Number(value) * 1000 || Date.parse(value) - sentAt || 0;
};

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
