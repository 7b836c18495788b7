import type { Kysely, Selectable } from 'kysely';
import type { UsersTable } from '../../database/tables/people.ts';
import type { Tables } from '../../database/tables/tables.ts';
import { notFound } from '../../http/portalFailure.ts';
import type { Cut, Page } from '../paging.ts';
import type { UserBody } from './userSchemas.ts';

type UserRow = Pick<
  Selectable<UsersTable>,
  | 'id'
  | 'type'
  | 'email'
  | 'first_name'
  | 'last_name'
  | 'is_active'
  | 'created_at'
  | 'updated_at'
  | 'last_login_at'
>;

const columns = [
  'id',
  'type',
  'email',
  'first_name',
  'last_name',
  'is_active',
  'created_at',
  'updated_at',
  'last_login_at',
] as const satisfies readonly (keyof UserRow)[];

/** Formats times; the users of a page often share theirs, which are formatted once. */
const createIso = () => {
  const known = new Map<number, string>();
  return (atMs: number): string => {
    let text = known.get(atMs);
    if (text === undefined) {
      text = new Date(atMs).toISOString();
      known.set(atMs, text);
    }
    return text;
  };
};

/** Groups texts by the user they belong to. */
const byUser = (rows: readonly { readonly user_id: number; readonly text: string }[]) => {
  const groups = new Map<number, string[]>();
  for (const { user_id, text } of rows) {
    const group = groups.get(user_id);
    if (group === undefined) groups.set(user_id, [text]);
    else group.push(text);
  }
  return groups;
};

/**
 * Adds roles and OUs to rows of users that follow one another by number, with one query for each. A range of numbers
 * keeps the statement the same for every page, so that it stays prepared.
 */
const toUserBodies = async (
  db: Kysely<Tables>,
  tenantId: number,
  rows: readonly UserRow[],
): Promise<UserBody[]> => {
  const first = rows[0]?.id;
  const last = rows.at(-1)?.id;
  if (first === undefined || last === undefined) return [];
  const roles = await db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select(['user_roles.user_id', 'roles.name as text'])
    .where('user_roles.user_id', '>=', first)
    .where('user_roles.user_id', '<=', last)
    .where('user_roles.tenant_id', '=', tenantId)
    .orderBy('user_roles.user_id')
    .orderBy('user_roles.role_id')
    .execute();
  const units = await db
    .selectFrom('memberships')
    .select(['user_id', 'organization_unit_id'])
    .where('user_id', '>=', first)
    .where('user_id', '<=', last)
    .where('tenant_id', '=', tenantId)
    .orderBy('user_id')
    .orderBy('organization_unit_id')
    .execute();
  const rolesOf = byUser(roles);
  const unitsOf = byUser(
    units.map(({ user_id, organization_unit_id }) => ({ user_id, text: String(organization_unit_id) })),
  );
  const iso = createIso();
  return rows.map((row) => ({
    id: row.id,
    type: row.type as UserBody['type'],
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    roles: rolesOf.get(row.id) ?? [],
    organizationUnits: unitsOf.get(row.id) ?? [],
    displayName: `${row.first_name} ${row.last_name}`,
    isActive: row.is_active === 1,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    lastLoginAt: row.last_login_at === null ? null : iso(row.last_login_at),
  }));
};

/** One page of a tenant's users, in the order of their numbers. */
export const readUserPage = async (
  db: Kysely<Tables>,
  tenantId: number,
  cut: Cut,
): Promise<Page<UserBody>> => {
  const { user_count: totalCount } = await db
    .selectFrom('tenants')
    .select('user_count')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (cut.offset >= totalCount) return { items: [], totalCount };
  // The page's numbers are found on the index alone; only its own rows are read whole.
  const rows = await db
    .selectFrom('users')
    .select(columns)
    .where('id', 'in', (query) =>
      query
        .selectFrom('users')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .orderBy('id')
        .limit(cut.pageSize)
        .offset(cut.offset),
    )
    .orderBy('id')
    .execute();
  return { items: await toUserBodies(db, tenantId, rows), totalCount };
};

/** One user of this tenant, or 404. */
export const readUser = async (db: Kysely<Tables>, tenantId: number, userId: number): Promise<UserBody> => {
  const rows = await db
    .selectFrom('users')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .execute();
  const [body] = await toUserBodies(db, tenantId, rows);
  if (body === undefined) throw notFound('The user', 'userId');
  return body;
};
