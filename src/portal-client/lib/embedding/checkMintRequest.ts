import { isItemId, maxKeyLifetimeMs, minKeyLifetimeMs } from '@vitrine/contract';
import { configError } from '../errors/checkOptions.ts';
import type { MintRequest } from './mintRequest.ts';

/** Throws a `PortalError` of kind `config` if a key request is not valid. */
export const checkMintRequest = ({ itemId, userId, lifetimeMs }: MintRequest): void => {
  if (!isItemId(itemId))
    throw configError('invalid_item_id', 'The item ID of a key must be a positive whole number.');
  if (typeof userId !== 'string' || userId === '')
    throw configError('invalid_user_id', 'The user ID of a key must be a non-empty string.');
  if (!(lifetimeMs >= minKeyLifetimeMs && lifetimeMs <= maxKeyLifetimeMs))
    throw configError(
      'invalid_lifetime',
      `A key's lifetime must be between one minute and 24 hours, in milliseconds; it is ${lifetimeMs}.`,
    );
};
