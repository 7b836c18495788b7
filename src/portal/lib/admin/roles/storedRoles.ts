import type { ServiceNewRow, ServiceRow } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import type { Change } from '../../audit/recordedChange.ts';
import type { Actor } from '../../audit/writeAuditRecord.ts';
import { rowsOf } from '../../database/rowsOf.ts';
import type { Row, Tables } from '../../database/schema.ts';
import { conflict } from '../../http/portalFailure.ts';

const toRoleBody = (row: Row<'roles'>): ServiceRow<'role'> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  code: row.code,
  description: row.description,
  isSystem: row.is_system === 1,
});

/** All roles of a tenant, in order of creation. */
export const readRoles = async (db: Kysely<Tables>, tenantId: number): Promise<ServiceRow<'role'>[]> =>
  (await rowsOf(db, 'roles', { tenantId })).map(toRoleBody);

/** Creates a role. Name and code are unique in the tenant. */
export const createRole = async (
  change: Change,
  actor: Actor,
  role: ServiceNewRow<'role'>,
): Promise<ServiceRow<'role'>> => {
  const { db, tenantId, atMs } = change;
  const code = role.code ?? null;
  const nameKey = role.name.toLowerCase();
  const clash = await db
    .selectFrom('roles')
    .select('name_key')
    .where('tenant_id', '=', tenantId)
    .where((either) =>
      either.or([either('name_key', '=', nameKey), ...(code === null ? [] : [either('code', '=', code)])]),
    )
    .executeTakeFirst();
  if (clash !== undefined)
    throw clash.name_key === nameKey
      ? conflict('name', 'another role of this tenant has this name')
      : conflict('code', 'another role of this tenant has this code');
  const row = await db
    .insertInto('roles')
    .values({
      tenant_id: tenantId,
      name: role.name,
      name_key: nameKey,
      type: role.type,
      code,
      description: role.description,
      is_system: 0,
      rule: null,
      created_at: atMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await change.record({
    actionType: 'RoleCreated',
    actor,
    resourceType: 'Role',
    resourceId: row.id,
    description: `The role "${row.name}" was created.`,
    details: { type: row.type, code: row.code },
  });
  return toRoleBody(row);
};
