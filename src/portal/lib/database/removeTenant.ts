import type { Kysely } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** Tables whose rows belong to one tenant. */
export const tenantTables = [
  'delivery_log',
  'audit_logs',
  'viewers',
  'links',
  'tasks',
  'items',
  'directory_members',
  'directory_groups',
  'directory_people',
  'memberships',
  'user_roles',
  'organization_units',
  'roles',
  'api_keys',
  'users',
] as const satisfies readonly (keyof Tables)[];

/** Removes a tenant and all of its data: its own row first, which waits for running changes and blocks new ones. */
export const removeTenant = (db: Kysely<Tables>, tenantId: number): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await trx.deleteFrom('tenants').where('id', '=', tenantId).execute();
    for (const table of tenantTables) await trx.deleteFrom(table).where('tenant_id', '=', tenantId).execute();
  });
