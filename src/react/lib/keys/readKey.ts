import { type EmbedKey, isWebUrl } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';

/** Takes a key from what a backend answered, or throws an {@link EmbedError} that says what is wrong with it. */
export const readKey = (body: unknown, itemId: number): EmbedKey => {
  // `Object` makes null and primitives safe to look into. What a report needs of it is checked below.
  const key = Object(body) as EmbedKey;
  if (key.itemId !== itemId || !key.key || !(key.lifetimeMs > 0))
    throw new EmbedError('backend_invalid_response', 'The endpoint answered without a usable key.');
  if (!isWebUrl(key.tenantUrl))
    throw new EmbedError('invalid_tenant_url', 'tenantUrl must be an https address with no query.');
  return key;
};
