import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { columns, type Tables, tableNames } from './schema.ts';

/** Tables whose rows belong to one tenant. */
const tenantTables = tableNames.filter((name) => 'tenantId' in columns[name]);
const stateTables = ['tenants', ...tenantTables] as const;

/**
 * Locks the state until the transaction ends: changes wait, reads continue. Tables are locked in the order of changes,
 * tenants first. SQLite has only one transaction at a time anyway.
 */
export const lockState = async (db: Kysely<Tables>): Promise<void> => {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  const names = sql.join(stateTables.map((name) => sql.table(name)));
  await sql`lock table ${names} in share row exclusive mode`.execute(db);
};

/** Empties all tables with state. */
export const clearState = async (db: Kysely<Tables>): Promise<void> => {
  for (const table of stateTables) await db.deleteFrom(table).execute();
};

/** Removes a tenant and all of its data: its own row first, which waits for running changes and blocks new ones. */
export const removeTenant = (db: Kysely<Tables>, tenantId: number): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await trx.deleteFrom('tenants').where('id', '=', tenantId).execute();
    for (const table of tenantTables)
      await sql`delete from ${sql.table(table)} where ${sql.ref('tenantId')} = ${tenantId}`.execute(trx);
  });

/**
 * Locks the counter of tenants until the transaction ends, and returns its value. It serializes portals that share a
 * database, when seeding and when creating tenants.
 */
export const lockTenantCounter = async (db: Kysely<Tables>): Promise<number> => {
  const { value } = await db
    .insertInto('meta')
    // Numbers of tenants that are created at run time start above this one.
    .values({ key: 'last_tenant_id', value: '999' })
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
    .where('key', '=', 'last_tenant_id')
    .execute();
  return tenantId;
};
