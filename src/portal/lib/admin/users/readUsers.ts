import type { ServiceRow } from '@vitrine/contract/service';
import { type Kysely, sql } from 'kysely';
import { type Param, preparedQuery } from '../../database/preparedQuery.ts';
import type { Row, Tables } from '../../database/schema.ts';
import type { Page, PageRange } from '../../http/listPages.ts';
import { notFound } from '../../http/portalFailure.ts';

type UserRow = Pick<
  Row<'users'>,
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
  'users.id',
  'users.type',
  'users.email',
  'users.first_name',
  'users.last_name',
  'users.is_active',
  'users.created_at',
  'users.updated_at',
  'users.last_login_at',
] as const satisfies readonly `users.${keyof UserRow}`[];

/** Formats times; equal times, which users of a page often share, are formatted once. */
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

interface UserRange {
  readonly tenantId: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Role names and OUs of the users in a range of numbers. With a range, the statement is the same for every page, so it
 * stays prepared.
 */
const readReferences = preparedQuery((db, param: Param<UserRange>) =>
  db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select([
      'user_roles.user_id',
      'user_roles.role_id as id',
      sql.ref<string | null>('roles.name').as('role'),
    ])
    .where('user_roles.user_id', '>=', param('first'))
    .where('user_roles.user_id', '<=', param('last'))
    .where('user_roles.tenant_id', '=', param('tenantId'))
    .unionAll(
      db
        .selectFrom('memberships')
        .select(['user_id', 'organization_unit_id as id', sql<string | null>`null`.as('role')])
        .where('user_id', '>=', param('first'))
        .where('user_id', '<=', param('last'))
        .where('tenant_id', '=', param('tenantId')),
    )
    .orderBy('id'),
);

/** Adds roles and OUs to rows of users, which are sorted by number. */
const toUserBodies = async (
  db: Kysely<Tables>,
  tenantId: number,
  rows: readonly UserRow[],
): Promise<ServiceRow<'user'>[]> => {
  const first = rows[0]?.id;
  const last = rows.at(-1)?.id;
  if (first === undefined || last === undefined) return [];
  const referencesOf = new Map(rows.map(({ id }) => [id, { roles: [] as string[], units: [] as string[] }]));
  for (const { user_id, id, role } of await readReferences(db, { tenantId, first, last })) {
    const own = referencesOf.get(user_id);
    if (role === null) own?.units.push(String(id));
    else own?.roles.push(role);
  }
  const iso = createIso();
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    roles: referencesOf.get(row.id)?.roles ?? [],
    organizationUnits: referencesOf.get(row.id)?.units ?? [],
    displayName: `${row.first_name} ${row.last_name}`,
    isActive: row.is_active === 1,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    lastLoginAt: row.last_login_at === null ? null : iso(row.last_login_at),
  }));
};

/** The rows of a page, each with the total number of users. The numbers of the page come from the index only. */
const readRows = preparedQuery((db, param: Param<{ tenantId: number; pageSize: number; offset: number }>) =>
  db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select(columns)
    .select('tenants.user_count')
    .where('users.id', 'in', (query) =>
      query
        .selectFrom('users')
        .select('id')
        .where('tenant_id', '=', param('tenantId'))
        .orderBy('id')
        .limit(param('pageSize'))
        .offset(param('offset')),
    )
    .orderBy('users.id'),
);

/** One page of a tenant's users, by number. */
export const readUserPage = async (
  db: Kysely<Tables>,
  tenantId: number,
  { pageSize, offset }: PageRange,
): Promise<Page<ServiceRow<'user'>>> => {
  const rows = await readRows(db, { tenantId, pageSize, offset });
  return {
    items: await toUserBodies(db, tenantId, rows),
    totalCount: rows[0]?.user_count ?? (await countUsers(db, tenantId)),
  };
};

const countUsers = async (db: Kysely<Tables>, tenantId: number): Promise<number> => {
  const tenant = await db
    .selectFrom('tenants')
    .select('user_count')
    .where('id', '=', tenantId)
    .executeTakeFirst();
  return tenant?.user_count ?? 0;
};

const readRow = preparedQuery((db, param: Param<{ tenantId: number; userId: number }>) =>
  db
    .selectFrom('users')
    .select(columns)
    .where('tenant_id', '=', param('tenantId'))
    .where('id', '=', param('userId')),
);

/** One user of this tenant, or 404. */
export const readUser = async (
  db: Kysely<Tables>,
  tenantId: number,
  userId: number,
): Promise<ServiceRow<'user'>> => {
  const [body] = await toUserBodies(db, tenantId, await readRow(db, { tenantId, userId }));
  if (body === undefined) throw notFound('The user', 'userId');
  return body;
};
