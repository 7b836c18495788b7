import { type EmbedKey, isWebUrl, type Problem } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';

/** Takes a key from what a backend answered, or throws an {@link EmbedError} that says why there is none. */
export const readAnswer = async (response: Response, itemId: number): Promise<EmbedKey> => {
  const { status } = response;
  // `Object` makes anything safe to look into. What is no JSON is read as an empty document. It is a key if it stands the
  // checks below, of all that a report needs of it.
  const body = Object(await response.json().catch(() => undefined)) as EmbedKey & Partial<Problem>;
  const { key, tenantUrl, lifetimeMs, code = `http_${status}`, requestId, detail } = body;
  if (!response.ok) {
    // Seconds or a date (RFC 9110, 10.2.3).
    const retryAfter = response.headers.get('retry-after') ?? '';
    const retryAfterMs =
      Number(body.retryAfterMs) || Number(retryAfter) * 1000 || Date.parse(retryAfter) - Date.now() || 0;
    throw new EmbedError(code, { status, requestId, retryAfterMs }, detail);
  }
  if (body.itemId !== itemId || !key || !(lifetimeMs > 0)) throw new EmbedError('backend_invalid_response');
  if (!isWebUrl(tenantUrl)) throw new EmbedError('invalid_tenant_url');
  return body;
};
