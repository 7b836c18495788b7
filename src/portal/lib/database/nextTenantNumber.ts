import type { Kysely } from 'kysely';
import type { Tables } from './tables/tables.ts';

const key = 'last_tenant_id';
/** Numbers of tenants that are created at run time start above this one. */
const firstNumber = 999;

/**
 * Locks the tenant counter until the transaction ends, and returns its value. It serializes portals that share a
 * database, when seeding and when creating tenants.
 */
export const lockTenantCounter = async (db: Kysely<Tables>): Promise<number> => {
  const { value } = await db
    .insertInto('meta')
    .values({ key, value: String(firstNumber) })
    .onConflict((clash) =>
      clash.column('key').doUpdateSet((builder) => ({ value: builder.ref('meta.value') })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return Number(value);
};

/** Draws the next number. Numbers are never reused: the logs of a removed tenant must not belong to a new one. */
export const nextTenantNumber = async (db: Kysely<Tables>): Promise<number> => {
  const last = await lockTenantCounter(db);
  const { highest } = await db
    .selectFrom('tenants')
    .select((builder) => builder.fn.max('id').as('highest'))
    .executeTakeFirstOrThrow();
  const tenantId = Math.max(highest ?? 0, last) + 1;
  await db
    .updateTable('meta')
    .set({ value: String(tenantId) })
    .where('key', '=', key)
    .execute();
  return tenantId;
};
