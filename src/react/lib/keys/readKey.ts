import { type EmbedKey, isWebUrl } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';

/** Takes a key from what a backend answered, or throws an {@link EmbedError} that says what is wrong with it. */
export const readKey = (body: Partial<EmbedKey>, itemId: number): EmbedKey => {
  const { key, tenantUrl, lifetimeMs = 0 } = body;
  if (body.itemId !== itemId || !key || !(lifetimeMs > 0)) throw new EmbedError('backend_invalid_response');
  if (!isWebUrl(tenantUrl)) throw new EmbedError('invalid_tenant_url');
  // All that a report needs of it has just been checked.
  return body as EmbedKey;
};
