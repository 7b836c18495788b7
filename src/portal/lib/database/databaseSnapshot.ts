import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { insertAll } from './insertAll.ts';
import { tenantTables } from './removeTenant.ts';
import type { Tables } from './tables/tables.ts';

/** All tables with state. */
const tables = ['tenants', ...[...tenantTables].reverse()] as const satisfies readonly (keyof Tables)[];

/** The state of the service at a point in time. */
export type DatabaseSnapshot = ReadonlyMap<(typeof tables)[number], readonly object[]>;

/**
 * Locks the state until the transaction ends: changes wait, reads continue. Tables are locked in the order of changes,
 * tenants first. SQLite has only one transaction at a time anyway.
 */
export const lockState = async (db: Kysely<Tables>): Promise<void> => {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  const names = sql.join(['tenants', ...tenantTables].map((name) => sql.table(name)));
  await sql`lock table ${names} in share row exclusive mode`.execute(db);
};

/** Reads the whole state in one transaction. */
export const takeSnapshot = (db: Kysely<Tables>): Promise<DatabaseSnapshot> =>
  db.transaction().execute(async (trx) => {
    await lockState(trx);
    const snapshot = new Map<(typeof tables)[number], readonly object[]>();
    for (const table of tables) snapshot.set(table, await trx.selectFrom(table).selectAll().execute());
    return snapshot;
  });

/** Restores the state in one transaction. */
export const restoreSnapshot = (db: Kysely<Tables>, snapshot: DatabaseSnapshot): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockState(trx);
    await clearState(trx);
    for (const table of tables) await insertAll(trx, table, snapshot.get(table) ?? []);
  });

/** Empties all tables with state. */
export const clearState = async (db: Kysely<Tables>): Promise<void> => {
  for (const table of [...tables].reverse()) await db.deleteFrom(table).execute();
};
