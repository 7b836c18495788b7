import {
  type CallStats,
  createKeyMinter,
  isPortalError,
  type MintedKey,
  type PortalConnection,
  type PortalError,
} from '@vitrine/portal-client';
import type { DoctorOptions } from '../doctorOptions.ts';

// A report that no tenant has: enough to learn whether the secrets are accepted, without making a key.
const absentItemId = 2_147_483_647;
// What hosts ask for by default: a portal may refuse keys that live so long.
const lifetimeMs = 45 * 60_000;

/** How an attempt to make a key ended. */
export type KeyAttempt =
  | { readonly minted: MintedKey; readonly itemId: number }
  | { readonly error: PortalError };

/** Tries to make a key, once; for a report that no tenant has when `itemId` is undefined. */
export const attemptKey = async (
  connection: PortalConnection,
  { itemId = absentItemId, userId, roleNames, timeoutMs, now, env }: DoctorOptions,
): Promise<KeyAttempt> => {
  const minter = createKeyMinter(connection, {
    attemptTimeoutMs: timeoutMs,
    connectTimeoutMs: timeoutMs,
    retry: false,
    now,
    env,
  });
  try {
    return { itemId, minted: await minter.mint({ userId, roleNames, itemId, lifetimeMs }) };
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return { error };
  } finally {
    await minter.close();
  }
};

/** Facts of the request of an attempt. */
export const statsOf = (attempt: KeyAttempt): CallStats | undefined =>
  'minted' in attempt ? attempt.minted.stats : attempt.error.stats;

/** Whether another attempt was refused in the very same way, in words of which `plain` takes out what differs anyway. */
export const isSameRefusal = (
  one: PortalError,
  other: KeyAttempt,
  plain: (message: string) => string,
): boolean =>
  'error' in other &&
  other.error.kind === one.kind &&
  other.error.status === one.status &&
  other.error.code === one.code &&
  plain(other.error.message) === plain(one.message);
