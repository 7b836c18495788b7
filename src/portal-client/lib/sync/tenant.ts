import { quoteText } from '@vitrine/contract';
import { emailKey, type OperationName } from '@vitrine/contract/service';
import { configError, isPortalError, type PortalError } from '../errors.ts';
import { collect } from '../paging.ts';
import type { ListOperation, Role, RowOf, User } from '../rows.ts';
import type { SyncPlan } from './syncPlan.ts';

/** The calls that a sync makes. The client implements them over HTTP. Failures are `PortalError`s. */
export interface SyncPort {
  /** The `baseUrl` of the tenant, for display. */
  readonly baseUrl: string;
  readonly list: <TOperation extends ListOperation>(
    operation: TOperation,
    options: { readonly signal: AbortSignal | undefined },
  ) => AsyncIterable<RowOf<TOperation>>;
  /** Makes a call with much patience. The returned row; undefined if the response has none, which is not a failure. */
  readonly call: <TOperation extends OperationName>(
    operation: TOperation,
    options: {
      readonly signal: AbortSignal | undefined;
      readonly ids?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    },
  ) => Promise<RowOf<TOperation> | undefined>;
}

/** A user of the tenant; undefined if there is none with the identifier. */
export const findUser = async (
  port: SyncPort,
  userId: string,
  signal: AbortSignal | undefined,
): Promise<User | undefined> => {
  try {
    return await port.call('getUser', { ids: { userId }, signal });
  } catch (error) {
    if (isPortalError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
};

/** The entry of a role in the fingerprint of a tenant. */
export const roleMark = ({ id, name }: Role): string => `${id} ${name}`;

/** Rejects a tenant that is not the one of the plan. */
export const checkTenant = async (
  { fingerprint, baseUrl }: SyncPlan,
  port: SyncPort,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const { roles, users } = fingerprint;
  const there = new Set((await collect(port.list('listRoles', { signal }))).map(roleMark));
  const role = roles.find((mark) => !there.has(mark));
  if (role !== undefined) throw otherTenant(`does not have the role ${quoteText(role)} (ID and name)`);
  for (const { userId, email, createdAt } of users) {
    const user = await findUser(port, userId, signal);
    if (user && emailKey(user.email) === emailKey(email) && user.createdAt === createdAt) return;
  }
  const [user] = users;
  if (user !== undefined)
    throw otherTenant(
      `does not have the user ${quoteText(user.email)} with the ID ${user.userId}${user.createdAt === undefined ? '' : `, created at ${user.createdAt}`}`,
    );
  // Roles alone may be the same in a new tenant elsewhere.
  if (baseUrl !== port.baseUrl)
    throw otherTenant(`is at ${port.baseUrl}, not at ${baseUrl}, and no user tells whether it is the same`);
};

const otherTenant = (difference: string): PortalError =>
  configError(
    'other_tenant',
    `The plan was made for another tenant: this one ${difference}. Nothing was changed. Use the API key of the plan's tenant, or plan again.`,
  );
