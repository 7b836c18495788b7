import { quoteText } from '@vitrine/contract';
import { emailKey } from '@vitrine/contract/service';
import { PortalError } from '../errors/portalError.ts';
import { collect } from '../paging/paging.ts';
import type { Role } from '../resources/role.ts';
import type { UserId } from '../resources/user.ts';
import { isRecord, member } from '../responses/jsonValues.ts';
import { readId } from '../responses/readFields.ts';
import type { SyncReader, SyncWriter } from './syncPort.ts';

/**
 * Tells a tenant from the others at the same address, whatever the API key: its roles, which the interface can add but not
 * rename or remove, and some users, because a service may count the roles of each tenant from 1.
 */
export interface Fingerprint {
  /** Identifier and name of each role. */
  readonly roles: readonly string[];
  /** Up to three users whom the plan does not delete. One of them is enough, because the others may have changed. */
  readonly users: readonly { readonly userId: UserId; readonly email: string }[];
}

/** The entry of a role in a {@link Fingerprint}. */
export const roleMark = ({ id = '', name = '' }: Role): string => `${id} ${name}`;

/** Whether a value of a saved plan is a {@link Fingerprint}. */
export const isFingerprint = (value: unknown): value is Fingerprint => {
  if (!isRecord(value)) return false;
  const [roles, users] = [member(value, 'roles'), member(value, 'users')];
  return (
    Array.isArray(roles) &&
    roles.every((role) => typeof role === 'string') &&
    Array.isArray(users) &&
    users.every(
      (user: unknown) =>
        isRecord(user) &&
        readId(member(user, 'userId')) !== undefined &&
        typeof member(user, 'email') === 'string',
    )
  );
};

/** Rejects a tenant that is not the one of the fingerprint. */
export const checkTenant = async (
  { roles, users }: Fingerprint,
  {
    reader,
    writer,
    signal,
  }: {
    readonly reader: SyncReader;
    readonly writer: SyncWriter;
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> => {
  const there = new Set((await collect(reader.roles({ signal }))).map(roleMark));
  const role = roles.find((mark) => !there.has(mark));
  if (role !== undefined) throw otherTenant(`the role ${quoteText(role)} (ID and name)`);
  for (const { userId, email } of users)
    if (emailKey((await writer.getUser(userId))?.email ?? '') === emailKey(email)) return;
  const [user] = users;
  if (user !== undefined) throw otherTenant(`the user ${quoteText(user.email)} with the ID ${user.userId}`);
};

const otherTenant = (missing: string): PortalError =>
  new PortalError(
    `The plan was made for another tenant: this one does not have ${missing}. Nothing was changed. Use the API key of the plan's tenant, or plan again.`,
    { kind: 'config', code: 'other_tenant' },
  );
