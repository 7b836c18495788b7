import type { Kysely, Selectable } from 'kysely';
import type { UsersTable } from '../../database/tables/people.ts';
import type { Tables } from '../../database/tables/tables.ts';
import { notFound } from '../../http/portalFailure.ts';
import type { UserBody } from './userSchemas.ts';

const iso = (atMs: number) => new Date(atMs).toISOString();

/** Adds roles and OUs to rows of users, with one query for each, whatever their number. */
export const toUserBodies = async (
  db: Kysely<Tables>,
  rows: readonly Selectable<UsersTable>[],
): Promise<UserBody[]> => {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const roles = await db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select(['user_roles.user_id', 'roles.name'])
    .where('user_roles.user_id', 'in', ids)
    .orderBy('roles.id')
    .execute();
  const units = await db
    .selectFrom('memberships')
    .select(['user_id', 'organization_unit_id'])
    .where('user_id', 'in', ids)
    .orderBy('organization_unit_id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    type: row.type as UserBody['type'],
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    roles: roles.filter((role) => role.user_id === row.id).map((role) => role.name),
    organizationUnits: units
      .filter((unit) => unit.user_id === row.id)
      .map((unit) => String(unit.organization_unit_id)),
    displayName: `${row.first_name} ${row.last_name}`,
    isActive: row.is_active === 1,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    lastLoginAt: row.last_login_at === null ? null : iso(row.last_login_at),
  }));
};

/** Reads the number in a path; anything else names no user. */
export const userIdInPath = (text: string | undefined): number => {
  if (text === undefined || !/^[1-9]\d{0,9}$/.test(text) || Number(text) > 2_147_483_647)
    throw notFound('The user', 'userId');
  return Number(text);
};

/** The row of a user of this tenant, or 404. */
export const findUserRow = async (
  db: Kysely<Tables>,
  tenantId: number,
  userId: number,
): Promise<Selectable<UsersTable>> => {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) throw notFound('The user', 'userId');
  return row;
};

/** One user of this tenant, whole. */
export const readUser = async (db: Kysely<Tables>, tenantId: number, userId: number): Promise<UserBody> => {
  const [body] = await toUserBodies(db, [await findUserRow(db, tenantId, userId)]);
  if (body === undefined) throw notFound('The user', 'userId');
  return body;
};
