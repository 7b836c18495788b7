import {
  type CallStats,
  type CreatedKey,
  createPortalClient,
  isPortalError,
  type PortalConnection,
  type PortalError,
} from '@vitrine/portal-client';
import type { DoctorOptions } from '../doctorOptions.ts';

// A report that no tenant has: it suffices to check the secrets without creating a key.
const absentItemId = 2_147_483_647;
// The default lifetime of hosts: a portal may refuse it.
const lifetimeMs = 45 * 60_000;

/** The result of an attempt to create a key. */
export type KeyAttempt =
  | { readonly created: CreatedKey; readonly itemId: number }
  | { readonly error: PortalError };

/** Tries once to create a key; if `itemId` is undefined, for a report that no tenant has. */
export const attemptKey = async (
  connection: PortalConnection,
  { itemId = absentItemId, userId, roleNames, timeoutMs, env }: DoctorOptions,
): Promise<KeyAttempt> => {
  await using client = createPortalClient({ embedding: connection, timeoutMs, maxRetries: 0, env });
  try {
    const roles = roleNames.length === 0 ? {} : { roleNames };
    return { itemId, created: await client.embeddedKeys.create({ userId, ...roles, itemId, lifetimeMs }) };
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return { error };
  }
};

/** Facts of the request of an attempt. */
export const statsOf = (attempt: KeyAttempt): CallStats | undefined =>
  'created' in attempt ? attempt.created.stats : attempt.error.stats;

/** Whether another attempt was refused in the same way; `plain` removes variable parts of the messages. */
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
