import { quoteText } from '@vitrine/contract';
import {
  emailKey,
  type ItemInput,
  type OrganizationUnitInput,
  type RoleInput,
  type UserInput,
  type UserPatch,
} from '@vitrine/contract/service';
import { PortalError } from '../errors.ts';
import { isRecord, member } from '../json.ts';
import { collect } from '../paging.ts';
import { asId, type Item, type OrganizationUnit, type Role, type User } from '../rows.ts';

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The reads for planning and checking: only lists, so that planning cannot write. */
export interface SyncReader {
  /** The `baseUrl` of the tenant, for display. */
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly users: (options: ReadOptions) => AsyncIterable<User>;
  readonly roles: (options: ReadOptions) => AsyncIterable<Role>;
  readonly organizationUnits: (options: ReadOptions) => AsyncIterable<OrganizationUnit>;
  readonly items: (options: ReadOptions) => AsyncIterable<Item>;
}

/** The writes of a run. A response without the row is not a failure: the result is then unknown. */
export interface SyncWriter {
  readonly createRole: (input: RoleInput) => Promise<void>;
  readonly createUnit: (input: OrganizationUnitInput) => Promise<string | undefined>;
  readonly createItem: (input: ItemInput) => Promise<void>;
  readonly getUser: (userId: string) => Promise<User | undefined>;
  readonly createUser: (input: UserInput) => Promise<User | undefined>;
  readonly updateUser: (userId: string, patch: UserPatch) => Promise<User | undefined>;
  readonly deleteUser: (userId: string) => Promise<void>;
}

/** The portal operations for syncing. The client implements them over HTTP. Failures are `PortalError`s. */
export interface SyncPort {
  readonly reader: SyncReader;
  /** Opens the writes of one run, which the signal aborts. */
  readonly openWriter: (signal: AbortSignal | undefined) => SyncWriter;
}

/**
 * Tells a tenant from the others, whatever the address and the API key: its roles, which the interface can add but not
 * rename or remove, and some users, because a service may count the roles of each tenant from 1.
 */
export interface Fingerprint {
  /** Identifier and name of each role. */
  readonly roles: readonly string[];
  /** Up to three users whom the plan does not delete. One of them is enough, because the others may have changed. */
  readonly users: readonly { readonly userId: string; readonly email: string }[];
}

/** The entry of a role in a {@link Fingerprint}. */
export const roleMark = ({ id, name }: Role): string => `${id} ${name}`;

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
        asId(member(user, 'userId')) !== undefined &&
        typeof member(user, 'email') === 'string',
    )
  );
};

/** Rejects a tenant that is not the one of the plan. */
export const checkTenant = async (
  plan: { readonly fingerprint: Fingerprint; readonly baseUrl: string },
  reader: SyncReader,
  writer: SyncWriter,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const { roles, users } = plan.fingerprint;
  const there = new Set((await collect(reader.roles({ signal }))).map(roleMark));
  const role = roles.find((mark) => !there.has(mark));
  if (role !== undefined) throw otherTenant(`does not have the role ${quoteText(role)} (ID and name)`);
  for (const { userId, email } of users)
    if (emailKey((await writer.getUser(userId))?.email ?? '') === emailKey(email)) return;
  const [user] = users;
  if (user !== undefined)
    throw otherTenant(`does not have the user ${quoteText(user.email)} with the ID ${user.userId}`);
  // Roles alone may be the same in a new tenant elsewhere.
  if (plan.baseUrl !== reader.baseUrl)
    throw otherTenant(
      `is at ${reader.baseUrl}, not at ${plan.baseUrl}, and no user tells whether it is the same`,
    );
};

const otherTenant = (difference: string): PortalError =>
  new PortalError(
    `The plan was made for another tenant: this one ${difference}. Nothing was changed. Use the API key of the plan's tenant, or plan again.`,
    { kind: 'config', code: 'other_tenant' },
  );
