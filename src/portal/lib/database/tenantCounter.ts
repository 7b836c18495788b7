import type { Kysely } from 'kysely';
import type { Tables } from './tables/tables.ts';

const key = 'last_tenant_id';
/** Numbers of tenants that are made while the portal runs start above this one. */
const firstNumber = 999;

/**
 * Holds the counter of tenants until the transaction ends, and tells where it stands. Portals that share one database
 * take turns here: at seeding it and at making tenants.
 */
export const holdTenantCounter = async (db: Kysely<Tables>): Promise<number> => {
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

/** Draws the next number. One that was given never comes back: the logs of a removed tenant are not a new one's. */
export const drawTenantNumber = async (db: Kysely<Tables>): Promise<number> => {
  const last = await holdTenantCounter(db);
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
