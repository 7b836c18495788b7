import { type DatabaseIntrospector, type Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';

/**
 * Lists schemas and tables for the migrator by name only. Kysely's own introspector also reads the columns of every
 * schema, which fails in Postgres while another program drops one.
 */
const introspect = (db: Kysely<unknown>): DatabaseIntrospector => ({
  getSchemas: async () =>
    (await sql<{ name: string }>`select nspname as name from pg_namespace`.execute(db)).rows,
  getTables: async () => {
    const names = sql<{
      schema: string;
      name: string;
    }>`select schemaname as schema, tablename as name from pg_tables`;
    return (await names.execute(db)).rows.map((table) => ({
      ...table,
      isView: false,
      isForeign: false,
      columns: [],
    }));
  },
});

/** Kysely's Postgres dialect, with an introspector that other programs of the same database cannot disturb. */
export const createPostgresDialect = (pool: PostgresPool): PostgresDialect =>
  Object.assign(new PostgresDialect({ pool }), { createIntrospector: introspect });
