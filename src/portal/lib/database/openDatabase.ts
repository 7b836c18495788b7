import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { createPostgresDialect } from './createPostgresDialect.ts';
import { createServiceTables } from './createServiceTables.ts';
import { DiskFullError } from './diskFullError.ts';
import { openNodeSqlite } from './nodeSqlite.ts';
import { openPostgresPool, schemaOf } from './postgresPool.ts';
import { createSchemaBuilder, type DatabaseKind } from './schemaBuilder.ts';
import type { Tables } from './tables/tables.ts';

/** The portal's database: SQLite or Postgres, with its tables. */
export interface PortalDatabase {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Tables>;
  /** Changes with every change of a tenant, an API key or a user; `undefined` if the database cannot report that. */
  readonly callersVersion: () => string | undefined;
  /** Aborts running statements, which then fail; no effect on SQLite, whose statements never wait. */
  readonly disconnect: () => void;
  /** Closes after running statements have ended. */
  close(): Promise<void>;
}

const isPostgresAddress = (address: string) => /^postgres(ql)?:\/\//.test(address);

const connect = async (address: string) => {
  if (isPostgresAddress(address)) {
    const { pool, disconnect } = await openPostgresPool(address).catch((error: unknown) => {
      throw cannotOpen(error, address);
    });
    const dialect = createPostgresDialect(pool);
    return { kind: 'postgres' as const, dialect, disconnect, callersVersion: () => undefined };
  }
  const sqlite = openSqlite(address);
  const dialect = new SqliteDialect({ database: sqlite });
  return { kind: 'sqlite' as const, dialect, disconnect: () => {}, callersVersion: sqlite.callersVersion };
};

const openSqlite = (path: string) => {
  try {
    return openNodeSqlite(path);
  } catch (error) {
    if (error instanceof DiskFullError) throw error;
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new Error(
      `Could not open the portal's database ${path}: ${reason}. Use a file that a portal created, or a new file in an existing folder.`,
      { cause: error },
    );
  }
};

/** The host of an address, as the end of a phrase; its credentials and options stay out of the message. */
const atHost = (address: string): string => {
  const host = URL.parse(address)?.host ?? '';
  return host === '' ? '' : ` at ${host}`;
};

const cannotOpen = (error: unknown, address: string): Error => {
  if (!(error instanceof Error) || !('code' in error)) return error as Error;
  return new Error(
    `Could not open the portal's database${atHost(address)} (${String(error.code)}). Check that the server is running, and that its user and database exist.`,
    { cause: error },
  );
};

/** Opens `:memory:`, a file, or `postgres://…`, and creates the tables if they are missing. */
export const openDatabase = async (address: string): Promise<PortalDatabase> => {
  const { kind, dialect, disconnect, callersVersion } = await connect(address);
  const db = new Kysely<Tables>({ dialect });
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => ({
        '001_service': {
          up: (trx: Kysely<Tables>) => createServiceTables(createSchemaBuilder(trx, kind)),
        },
      }),
    },
    // Explicit, because the migrator would otherwise use the table of another portal's schema.
    ...(kind === 'postgres' && { migrationTableSchema: schemaOf(address) }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    await db.destroy();
    if (error instanceof DiskFullError) throw error;
    throw new Error(
      `The schema of the portal's database cannot be updated. Check that the database does not belong to another program.`,
      {
        cause: error,
      },
    );
  }
  return { kind, db, callersVersion, disconnect, close: () => db.destroy() };
};
