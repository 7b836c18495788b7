import { quoteText } from '@vitrine/contract';
import { emailKey } from '@vitrine/contract/service';
import { configError, isPortalError } from '../errors.ts';
import type { Operations } from '../operations.ts';
import type { Role, User } from '../rows.ts';
import type { SyncPlan } from './syncPlan.ts';

/** The calls that a sync makes. */
export type SyncPort = Pick<Operations, 'baseUrl' | 'list' | 'insist'>;

/** A user of the tenant; undefined if there is none with the identifier. */
export const findUser = async (
  port: SyncPort,
  userId: string,
  signal: AbortSignal | undefined,
): Promise<User | undefined> => {
  try {
    return await port.insist('getUser', { ids: { userId }, signal });
  } catch (error) {
    if (isPortalError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
};

/** The entry of a role in the fingerprint of a tenant. */
export const roleMark = ({ id, name }: Role): string => `${id} ${name}`;

/** Rejects a tenant that is not the one of the plan. */
export const checkTenant = async (
  { fingerprint: { roles, users }, baseUrl }: SyncPlan,
  port: SyncPort,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const there = new Set((await Array.fromAsync(port.list('listRoles')({ signal }))).map(roleMark));
  // Roles alone may be the same in a new tenant elsewhere.
  let isSame = users.length === 0 && baseUrl === port.baseUrl;
  for (const { userId, email, createdAt } of users) {
    if (isSame) break;
    const user = await findUser(port, userId, signal);
    isSame = user !== undefined && emailKey(user.email) === emailKey(email) && user.createdAt === createdAt;
  }
  const role = roles.find((mark) => !there.has(mark));
  if (isSame && role === undefined) return;
  const [{ email } = { email: 'none' }] = users;
  throw configError(
    'other_tenant',
    `The plan was made for another tenant, at ${baseUrl}: the one at ${port.baseUrl} does not have the same ${role === undefined ? `user ${quoteText(email)}` : `role ${quoteText(role)}`}. Nothing was changed. Use the API key of the plan's tenant, or plan again.`,
  );
};
