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
  /** Changes with every change of a tenant, an API key or a user; `undefined` where the database cannot say so. */
  readonly callersVersion: () => string | undefined;
  close(): Promise<void>;
}

const isPostgresAddress = (address: string) => /^postgres(ql)?:\/\//.test(address);

/** Opens `:memory:`, a file, or `postgres://…`, and brings it to the newest schema. */
export const openDatabase = async (address: string): Promise<PortalDatabase> => {
  const kind: DatabaseKind = isPostgresAddress(address) ? 'postgres' : 'sqlite';
  const sqlite = kind === 'sqlite' ? openNodeSqlite(address) : undefined;
  const dialect =
    sqlite === undefined
      ? new PostgresDialect({ pool: await openPostgresPool(address) })
      : new SqliteDialect({ database: sqlite });
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
  return { kind, db, callersVersion: () => sqlite?.callersVersion(), close: () => db.destroy() };
};
