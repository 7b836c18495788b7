import { isItemId, maxKeyLifetimeMs, minKeyLifetimeMs } from '@vitrine/contract';
import { checkOptions, configError, type OptionNames } from '../errors/checkOptions.ts';
import type { MintRequest } from './mintRequest.ts';

const names: OptionNames<MintRequest> = {
  userId: true,
  itemId: true,
  roleNames: true,
  lifetimeMs: true,
  timeoutMs: true,
  signal: true,
  requestId: true,
};

/**
 * Throws a `PortalError` of kind `config` if a key request is not valid, also for an unknown field: `roles` instead of
 * `roleNames` would drop the row filter.
 */
export const checkMintRequest = (request: MintRequest): void => {
  checkOptions('The request for a key', request, names);
  const { itemId, userId, lifetimeMs } = request;
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
