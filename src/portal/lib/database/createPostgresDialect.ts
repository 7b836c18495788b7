import { type DatabaseIntrospector, type Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';

/**
 * Tells the migrator which schemas and tables there are, from their names alone. Kysely's own introspector also reads
 * what the columns of every schema are, which Postgres refuses while another program drops one of them.
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

/** How Kysely speaks to Postgres, with an introspector that other programs of the same database cannot disturb. */
export const createPostgresDialect = (pool: PostgresPool): PostgresDialect =>
  Object.assign(new PostgresDialect({ pool }), { createIntrospector: introspect });
