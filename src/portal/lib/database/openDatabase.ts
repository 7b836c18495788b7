import { createHash } from 'node:crypto';
import { Kysely, PostgresAdapter, PostgresDialect, PostgresQueryCompiler, SqliteDialect, sql } from 'kysely';
import { DiskFullError, openNodeSqlite } from './nodeSqlite.ts';
import { openPostgresPool } from './postgresPool.ts';
import { type Column, columns, indexes, type Tables, tableNames } from './schema.ts';

/** The portal's database: SQLite or Postgres, with its tables. */
export interface PortalDatabase {
  readonly db: Kysely<Tables>;
  /** Aborts running statements, which then fail; no effect on SQLite, whose statements never wait. */
  readonly disconnect: () => void;
  /** Closes after running statements have ended. */
  close(): Promise<void>;
}

const isPostgres = (address: string) => /^postgres(ql)?:\/\//.test(address);

/** `pg` would send an array as one of Postgres; the portal's are JSON. */
class PostgresCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(Array.isArray(value) ? JSON.stringify(value) : value);
  }
}

const connect = async (address: string) => {
  try {
    if (!isPostgres(address))
      return { dialect: new SqliteDialect({ database: openNodeSqlite(address) }), disconnect: () => {} };
    const { pool, disconnect } = await openPostgresPool(address);
    const dialect = new PostgresDialect({ pool });
    dialect.createQueryCompiler = () => new PostgresCompiler();
    return { dialect, disconnect };
  } catch (error) {
    throw cannotOpen(error, address);
  }
};

const cannotOpen = (error: unknown, address: string): unknown => {
  if (!(error instanceof Error) || !('code' in error)) return error;
  // Credentials and options of an address stay out of the message, also of one with a misspelt scheme.
  const host = URL.parse(address)?.host ?? '';
  return new Error(
    isPostgres(address)
      ? `Could not open the portal's database${host === '' ? '' : ` at ${host}`} (${String(error.code)}). Check that the server is running, and that its user and database exist.`
      : `Could not open the portal's database${address.includes('@') ? '' : ` ${address}`}: ${error.message}. Use a file that a portal created, or a new file in an existing folder; this user must be able to write both.`,
    { cause: error },
  );
};

const version = createHash('sha256').update(JSON.stringify({ columns, indexes })).digest('hex').slice(0, 16);

const createTable = async (db: Kysely<Tables>, name: keyof Tables): Promise<void> => {
  let table = db.schema.createTable(name);
  if (name === 'meta') table = table.ifNotExists();
  const described: Readonly<Record<string, Column>> = columns[name];
  for (const [column, { type, isNullable, key }] of Object.entries(described)) {
    const isNumber = type === 'integer' || type === 'time';
    // SQLite generates numbers for exactly the type integer only.
    table = table.addColumn(column, isNumber && key === undefined ? 'bigint' : type, (made) => {
      if (key === undefined) return isNullable ? made : made.notNull();
      if (key === 'given') return made.primaryKey();
      return db.getExecutor().adapter instanceof PostgresAdapter
        ? made.primaryKey().generatedByDefaultAsIdentity()
        : made.primaryKey().autoIncrement();
    });
  }
  await table.execute();
  for (const [indexed, on, kind] of indexes) {
    if (indexed !== name) continue;
    const index = db.schema
      .createIndex(`${name}_by_${on.join('_')}`)
      .on(name)
      .columns([...on]);
    await (kind === 'unique' ? index.unique() : index).execute();
  }
};

/** Creates all tables, unless this version of the portal already did. Portals that start at once wait for each other. */
const createTables = (db: Kysely<Tables>): Promise<void> =>
  db.connection().execute(async (connection) => {
    const isOnPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    await sql.raw(isOnPostgres ? 'begin' : 'begin immediate').execute(connection);
    try {
      if (isOnPostgres)
        await sql`select pg_advisory_xact_lock(hashtext('vitrine portal ' || current_schema()))`.execute(
          connection,
        );
      await createTable(connection, 'meta');
      const stored = await connection
        .selectFrom('meta')
        .select('value')
        .where('key', '=', 'schema')
        .executeTakeFirst();
      if (stored === undefined) {
        // A server has databases and schemas for its programs; a file belongs to one.
        const found = isOnPostgres ? [] : await connection.introspection.getTables();
        if (found.length > 1) throw new Error('It has the tables of another program.');
        for (const name of tableNames) if (name !== 'meta') await createTable(connection, name);
        await connection.insertInto('meta').values({ key: 'schema', value: version }).execute();
      } else if (stored.value !== version) throw new Error('It has the tables of another version.');
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });

/** Opens `:memory:`, a file, or `postgres://…`, and creates the tables if they are missing. */
export const openDatabase = async (address: string): Promise<PortalDatabase> => {
  const { dialect, disconnect } = await connect(address);
  const db = new Kysely<Tables>({ dialect });
  try {
    await createTables(db);
  } catch (cause) {
    await db.destroy();
    if (cause instanceof DiskFullError) throw cause;
    throw new Error(
      `The tables of the portal's database cannot be used. Check that the database does not belong to another program or to another version of the portal; a seed that "vitrine portal export" of that version writes starts a new one.`,
      { cause },
    );
  }
  return { db, disconnect, close: () => db.destroy() };
};
