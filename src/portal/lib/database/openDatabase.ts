import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { createMigrations } from './migrations/createMigrations.ts';
import type { DatabaseKind } from './migrations/schemaBuilder.ts';
import { openNodeSqlite } from './nodeSqlite.ts';
import { openPostgresPool, schemaOf } from './postgresPool.ts';
import type { Tables } from './tables/tables.ts';

/** The portal's database: SQLite or Postgres, with every migration applied. */
export interface PortalDatabase {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Tables>;
  close(): Promise<void>;
}

const isPostgresAddress = (address: string) => /^postgres(ql)?:\/\//.test(address);

/** Opens `:memory:`, a file, or `postgres://…`, and brings it to the newest schema. */
export const openDatabase = async (address: string): Promise<PortalDatabase> => {
  const kind: DatabaseKind = isPostgresAddress(address) ? 'postgres' : 'sqlite';
  const dialect =
    kind === 'postgres'
      ? new PostgresDialect({ pool: await openPostgresPool(address) })
      : new SqliteDialect({ database: openNodeSqlite(address) });
  const db = new Kysely<Tables>({ dialect });
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => createMigrations(kind) },
    // Named, because the migrator would otherwise take the table of another portal's schema for its own.
    ...(kind === 'postgres' && { migrationTableSchema: schemaOf(address) }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    await db.destroy();
    throw new Error(`The portal's database cannot be brought to its schema. Is it another program's?`, {
      cause: error,
    });
  }
  return { kind, db, close: () => db.destroy() };
};
