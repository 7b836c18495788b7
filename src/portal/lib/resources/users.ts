import { emailKey, type ServiceMergePatch, type ServiceRow } from '@vitrine/contract/service';
import { sql } from 'kysely';
import { type Change, change } from '../change.ts';
import { changedColumns, newUser, serviceRow } from '../database/rows.ts';
import type { Row } from '../database/schema.ts';
import {
  changesOf,
  findRow,
  insertAll,
  insertRow,
  type Place,
  removeRow,
  rowsOf,
  updateRow,
} from '../database/tenantRows.ts';
import type { Page } from '../http/listPages.ts';
import { conflict, notFoundField } from '../http/portalFailure.ts';
import { isViewer } from '../reports/viewer.ts';
import { type Route, serviceRoute } from '../route.ts';
import { rejectReadOnlyChanges } from '../service/validate.ts';
import { findRoles, rowsNamed } from './roles.ts';

type User = ServiceRow<'user'>;

/** Role names and OUs of the users in a range of numbers. */
const readReferences = async ({ db, tenantId }: Place, first: number, last: number) => {
  const references = sql<{ readonly userId: number; readonly id: number; readonly role: string | null }>`
    select "userId", "roleId" as id, roles.name as role from user_roles join roles on roles.id = "roleId"
    where "userId" between ${first} and ${last} and user_roles."tenantId" = ${tenantId}
    union all
    select "userId", "organizationUnitId", null from memberships
    where "userId" between ${first} and ${last} and "tenantId" = ${tenantId}
    order by id`;
  return (await references.execute(db)).rows;
};

/** Adds roles and OUs to rows of users, which are sorted by number. */
const toUsers = async (place: Place, rows: readonly Row<'users'>[]): Promise<User[]> => {
  const first = rows[0]?.id;
  const last = rows.at(-1)?.id;
  if (first === undefined || last === undefined) return [];
  const references = Map.groupBy(await readReferences(place, first, last), ({ userId }) => userId);
  return rows.map((row) => {
    const own = references.get(row.id) ?? [];
    return serviceRow('user', row, {
      roles: own.flatMap(({ role }) => role ?? []),
      organizationUnits: own.flatMap(({ id, role }) => (role === null ? String(id) : [])),
      displayName: `${row.firstName} ${row.lastName}`,
      // Nobody signs in to this portal.
      lastLoginAt: null,
    });
  });
};

/** One page of a tenant's users, by number. */
const readPage = async (
  place: Place,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<Page<User>> => {
  const users = place.db.selectFrom('users').where('tenantId', '=', place.tenantId);
  const { count } = await users
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await users
    .selectAll()
    .orderBy('id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { items: await toUsers(place, rows), totalCount: count, page, pageSize };
};

/** One user of this tenant, or 404. */
const readUser = async (place: Place, given: string | number | undefined): Promise<User> => {
  if (await isViewer(place, given))
    throw notFoundField(
      'userId',
      `${given} is the ID of an embedded viewer (currentUser of webhooks) who is not a user of this tenant.`,
    );
  const users = await toUsers(place, [await findRow(place, 'users', given, 'userId')]);
  // One row makes one user.
  return users[0] as User;
};

/** Throws 409 if another user of the tenant has this address. */
export const requireFreeEmail = async (
  { db, tenantId }: Place,
  email: string,
  ownId?: number,
): Promise<void> => {
  const holder = await db
    .selectFrom('users')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('emailKey', '=', emailKey(email))
    .executeTakeFirst();
  if (holder !== undefined && holder.id !== ownId)
    throw conflict('email', 'another user of this tenant already has this address');
};

/** Numbers of the OUs with these identifiers; 400 for one that does not exist. */
const findUnitIds = async (place: Place, ids: readonly string[]): Promise<number[]> => {
  const units = ids.length === 0 ? [] : await rowsOf(place, 'organization_units');
  const known = new Map(units.map(({ id }) => [String(id), id]));
  const problem = 'is not the identifier of an organizational unit of this tenant';
  return rowsNamed(ids, known, 'organizationUnits', problem);
};

/** Sets the roles of a user. */
const replaceRoles = async (changing: Change, userId: number, names: readonly string[]): Promise<void> => {
  const { db, tenantId } = changing;
  const roles = await findRoles(changing, names);
  await db.deleteFrom('user_roles').where('userId', '=', userId).execute();
  const rows = roles.map(({ id: roleId }) => ({ tenantId, userId, roleId }));
  await insertAll(db, 'user_roles', rows);
};

/** Sets the OUs of a user; remaining memberships from the directory keep their origin. */
const replaceUnits = async (changing: Change, userId: number, ids: readonly string[]): Promise<void> => {
  const { db, tenantId } = changing;
  const unitIds = await findUnitIds(changing, ids);
  await db
    .deleteFrom('memberships')
    .where('userId', '=', userId)
    .$if(unitIds.length > 0, (query) => query.where('organizationUnitId', 'not in', unitIds))
    .execute();
  if (unitIds.length > 0)
    await db
      .insertInto('memberships')
      .values(
        unitIds.map((organizationUnitId) => ({ tenantId, userId, organizationUnitId, source: 'manual' })),
      )
      .onConflict((clash) => clash.columns(['userId', 'organizationUnitId']).doNothing())
      .execute();
};

/** Applies a merge patch to a user. */
const updateUser = async (changing: Change, given: string | undefined, patch: ServiceMergePatch<'user'>) => {
  const before = await readUser(changing, given);
  const userId = before.id;
  rejectReadOnlyChanges('user', before, patch);
  const { email, roles, organizationUnits } = patch;
  if (email !== undefined) {
    await requireFreeEmail(changing, email, userId);
    await changeKeys(changing, before.email, { userId: email });
  }
  await updateRow(changing, 'users', userId, {
    id: userId,
    ...changedColumns('user', patch),
    ...(email !== undefined && { emailKey: emailKey(email) }),
  });
  if (roles !== undefined) await replaceRoles(changing, userId, roles ?? []);
  if (organizationUnits !== undefined) await replaceUnits(changing, userId, organizationUnits ?? []);
  const after = await readUser(changing, userId);
  const description = `The user ${after.email} was changed.`;
  const recorded = { id: userId, description, ...changesOf(before, after) };
  // After an update without changes, `updatedAt` stays, and the same body is accepted again.
  if (recorded.isUnchanged) return { ...recorded, result: after };
  await updateRow(changing, 'users', userId, { updatedAt: changing.atMs });
  return { ...recorded, result: { ...after, updatedAt: new Date(changing.atMs).toISOString() } };
};

/** Changes the keys of a user, which belong to an address, and returns their numbers. Revoked ones close within seconds. */
export const changeKeys = async (
  { db, tenantId, atMs }: Change,
  email: string,
  columns: Partial<Pick<Row<'links'>, 'userId' | 'revokedAt'>>,
): Promise<number[]> => {
  const links = await db
    .selectFrom('links')
    .select(['id', 'userId'])
    .where('tenantId', '=', tenantId)
    .where('userId', 'is not', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', atMs)
    .execute();
  const ids = links
    .filter(({ userId }) => userId !== null && emailKey(userId) === emailKey(email))
    .map(({ id }) => id);
  if (ids.length > 0) await db.updateTable('links').set(columns).where('id', 'in', ids).execute();
  return ids;
};

/** Users (docs/interface.md#4.1). */
export const userRoutes: readonly Route[] = [
  serviceRoute('listUsers', ({ services, tenant, query }) =>
    readPage({ db: services.db, tenantId: tenant.id }, query),
  ),
  serviceRoute(
    'createUser',
    (call) =>
      change(call, 'UserCreated', async (changing) => {
        const { type, email, roles, organizationUnits } = call.body;
        await requireFreeEmail(changing, email);
        const { id } = await insertRow(changing.db, 'users', newUser(changing, call.body));
        if (roles.length > 0) await replaceRoles(changing, id, roles);
        if (organizationUnits.length > 0) await replaceUnits(changing, id, organizationUnits);
        const created = await readUser(changing, id);
        return {
          id,
          description: `The user ${email} was created.`,
          details: { type, roles: created.roles, organizationUnits: created.organizationUnits },
          result: created,
        };
      }),
    { location: (id) => `/v1/users/${id}` },
  ),
  serviceRoute('getUser', ({ services, tenant, params }) =>
    readUser({ db: services.db, tenantId: tenant.id }, params['userId']),
  ),
  serviceRoute('updateUser', (call) =>
    change(call, 'UserUpdated', (changing) => updateUser(changing, call.params['userId'], call.body)),
  ),
  serviceRoute('deleteUser', (call) =>
    change(call, 'UserDeleted', async (changing) => {
      const { db } = changing;
      const { id: userId, email } = await readUser(changing, call.params['userId']);
      await db.deleteFrom('user_roles').where('userId', '=', userId).execute();
      await db.deleteFrom('memberships').where('userId', '=', userId).execute();
      return {
        ...(await removeRow(changing, 'users', { id: userId, email })),
        details: { email, revokedLinks: await changeKeys(changing, email, { revokedAt: changing.atMs }) },
      };
    }),
  ),
];
