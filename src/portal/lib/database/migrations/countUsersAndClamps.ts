import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/**
 * Adds user counts to tenants, and to links the requested expiry if it was shortened. Drops the table of the request
 * log, which is now in memory.
 */
export const countUsersAndClamps = async (db: Kysely<Tables>): Promise<void> => {
  await db.schema
    .alterTable('tenants')
    .addColumn('user_count', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db
    .updateTable('tenants')
    .set({
      user_count: (query) =>
        query
          .selectFrom('users')
          .select(sql<number>`count(*)`.as('count'))
          .whereRef('users.tenant_id', '=', 'tenants.id'),
    })
    .execute();
  await db.schema.alterTable('links').addColumn('requested_expires_at', 'bigint').execute();
  await db.schema.dropTable('request_log').ifExists().execute();
};
