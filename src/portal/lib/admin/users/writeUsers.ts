import {
  emailKey,
  resources,
  type ServiceMergePatch,
  type ServiceNewRow,
  type ServiceResource,
  type ServiceRow,
} from '@vitrine/contract/service';
import { sql, type Updateable } from 'kysely';
import type { Change } from '../../audit/recordedChange.ts';
import type { Actor } from '../../audit/writeAuditRecord.ts';
import { type Param, preparedQuery } from '../../database/preparedQuery.ts';
import type { Tables } from '../../database/schema.ts';
import { invalidFields } from '../../http/portalFailure.ts';
import { readUser } from './readUsers.ts';
import { findRoleIds, findUnitIds, replaceRoles, replaceUnits, requireFreeEmail } from './userReferences.ts';

/** Fields of a new user's row. */
interface UserRowInput {
  readonly type: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly directory_person_id: string | null;
}

const insertRow = preparedQuery(
  (db, param: Param<UserRowInput & { tenant_id: number; email_key: string; atMs: number }>) =>
    db
      .insertInto('users')
      .values({
        tenant_id: param('tenant_id'),
        type: param('type'),
        email: param('email'),
        email_key: param('email_key'),
        first_name: param('first_name'),
        last_name: param('last_name'),
        is_active: 1,
        directory_person_id: param('directory_person_id'),
        created_at: param('atMs'),
        updated_at: param('atMs'),
        last_login_at: null,
      })
      .returning('id'),
);

const countUsers = preparedQuery((db, param: Param<{ tenantId: number; added: number }>) =>
  db
    .updateTable('tenants')
    .set({ user_count: sql<number>`user_count + ${param('added')}` })
    .where('id', '=', param('tenantId')),
);

/** Inserts the row of a user and counts it; returns its number. */
export const insertUser = async (
  { db, tenantId, atMs }: Pick<Change, 'db' | 'tenantId' | 'atMs'>,
  row: UserRowInput,
): Promise<number> => {
  await countUsers(db, { tenantId, added: 1 });
  const values = { ...row, tenant_id: tenantId, email_key: emailKey(row.email), atMs };
  const [inserted] = await insertRow(db, values);
  if (inserted === undefined) throw new Error('The database returned no ID for the new user.');
  return inserted.id;
};

/** Creates a user with roles and OUs. */
export const createUser = async (
  change: Change,
  actor: Actor,
  user: ServiceNewRow<'user'>,
): Promise<ServiceRow<'user'>> => {
  await requireFreeEmail(change, user.email);
  const roleIds = await findRoleIds(change, user.roles);
  const unitIds = await findUnitIds(change, user.organizationUnits);
  const id = await insertUser(change, {
    type: user.type,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    directory_person_id: null,
  });
  if (roleIds.length > 0) await replaceRoles(change, id, roleIds);
  if (unitIds.length > 0) await replaceUnits(change, id, unitIds);
  const created = await readUser(change.db, change.tenantId, id);
  await change.record({
    actionType: 'UserCreated',
    actor,
    resourceType: 'User',
    resourceId: id,
    description: `The user ${created.email} was created.`,
    details: { type: created.type, roles: created.roles, organizationUnits: created.organizationUnits },
  });
  return created;
};

/** The user to update, and the actor. */
export interface UserUpdate {
  readonly userId: number;
  readonly actor: Actor;
  readonly patch: ServiceMergePatch<'user'>;
}

/** Applies a merge patch to a user. */
export const updateUser = async (
  change: Change,
  { userId, actor, patch }: UserUpdate,
): Promise<ServiceRow<'user'>> => {
  const { db, tenantId, atMs } = change;
  const before = await readUser(db, tenantId, userId);
  rejectReadOnlyChanges(before, patch);
  if (patch.email !== undefined) await requireFreeEmail(change, patch.email, userId);
  const write = (row: Updateable<Tables['users']>) =>
    db.updateTable('users').set(row).where('id', '=', userId).execute();
  // Locks the row, also when only roles or OUs change.
  await write({
    updated_at: Date.parse(before.updatedAt),
    ...(patch.type !== undefined && { type: patch.type }),
    ...(patch.email !== undefined && { email: patch.email, email_key: emailKey(patch.email) }),
    ...(patch.firstName !== undefined && { first_name: patch.firstName }),
    ...(patch.lastName !== undefined && { last_name: patch.lastName }),
  });
  if (patch.roles !== undefined)
    await replaceRoles(change, userId, await findRoleIds(change, patch.roles ?? []));
  if (patch.organizationUnits !== undefined)
    await replaceUnits(change, userId, await findUnitIds(change, patch.organizationUnits ?? []));
  const changes = changesBetween(before, await readUser(db, tenantId, userId));
  // After an update without changes, `updatedAt` stays, and the same body is accepted again.
  if (Object.keys(changes).length > 0) await write({ updated_at: atMs });
  const after = await readUser(db, tenantId, userId);
  await change.record({
    actionType: 'UserUpdated',
    actor,
    resourceType: 'User',
    resourceId: userId,
    description: `The user ${after.email} was changed.`,
    details: { changes },
  });
  return after;
};

/** Rejects changed read-only fields: a returned user may be sent back whole, if they are unchanged. */
const rejectReadOnlyChanges = (
  user: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): void => {
  const { fields }: ServiceResource = resources.user;
  const changed = Object.entries(fields)
    .filter(([name, { create }]) => create === undefined && patch[name] !== undefined)
    .filter(([name]) => patch[name] !== user[name]);
  if (changed.length > 0)
    throw invalidFields(
      changed.map(([field]) => ({
        field,
        message: `is read-only and is ${JSON.stringify(user[field])}; omit it, or read the user again and send it unchanged`,
      })),
    );
};

/** The changes of an update, by field, from and to. */
const changesBetween = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  Object.fromEntries(
    Object.keys(after)
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, { from: before[name], to: after[name] }]),
  );

/** Removes a user with their roles and memberships. */
export const deleteUser = async (change: Change, actor: Actor, userId: number): Promise<void> => {
  const { db, tenantId } = change;
  const { email } = await readUser(db, tenantId, userId);
  await db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
  await db.deleteFrom('memberships').where('user_id', '=', userId).execute();
  await db.deleteFrom('users').where('id', '=', userId).execute();
  await countUsers(db, { tenantId, added: -1 });
  await change.record({
    actionType: 'UserDeleted',
    actor,
    resourceType: 'User',
    resourceId: userId,
    description: `The user ${email} was removed.`,
    details: { email },
  });
};
