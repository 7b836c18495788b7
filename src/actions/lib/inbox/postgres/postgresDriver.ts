import { createTables, schemaVersion } from '../sql/createTables.ts';
import type { Query, SqlDriver, SqlRow } from '../sql/sqlDriver.ts';
import { type PostgresClient, type PostgresPool, withClient } from './postgresPool.ts';

/** Options of {@link createPostgresDriver}. */
export interface PostgresDriverOptions {
  /** A connection string, or a pool that the host owns. */
  readonly connection: string | PostgresPool;
  readonly schema: string;
  /** Whether to create missing tables; otherwise opening fails. */
  readonly mayCreate: boolean;
  /** Called with errors outside of calls. */
  readonly onError: (error: unknown) => void;
}

/** The Postgres driver. */
export interface PostgresDriver extends SqlDriver {
  /** The pool, after the tables exist. */
  readonly pool: () => Promise<PostgresPool>;
}

/** The clock of the database, because clocks of several machines may differ. */
const nowMs = '(extract(epoch from now()) * 1000)::bigint';

/** Time limits, in milliseconds, so that a hanging database does not block deliveries. */
const timeouts = { connectionTimeoutMillis: 5000, query_timeout: 10_000 };

const queryOf =
  (client: PostgresClient): Query =>
  async (sql, parameters) =>
    // The column types of our tables and of counts.
    (await client.query(sql.replaceAll('now_ms()', nowMs), parameters)).rows as readonly SqlRow[];

/**
 * Whether the tables exist. They then stay unchanged, because creating them takes locks that block running processes.
 * Rejects if they have another version.
 */
const hasTables = async (query: Query, schema: string): Promise<boolean> => {
  const sql = 'select to_regclass($1) as meta, to_regclass($2) as deliveries';
  const [{ meta = null, deliveries = null } = {}] = await query(sql, [
    `${schema}.meta`,
    `${schema}.deliveries`,
  ]);
  if (meta === null && deliveries === null) return false;
  const [row] = meta ? await query(`select value from ${schema}.meta where key = 'version'`) : [];
  const version = Number(row?.['value']);
  if (version === schemaVersion) return true;
  throw new Error(
    `The schema "${schema}" contains an action inbox of another version (${version || 'unknown'}; expected ${schemaVersion}). Use another schema, or drop it.`,
  );
};

/** Serializes transactions with the same digests; a fixed lock order prevents deadlocks. */
const lockDigests = (digests: readonly Buffer[]): string => {
  const numbers = new Set(digests.map((digest) => String(digest.readBigInt64BE())));
  return `select pg_advisory_xact_lock(digest) from unnest('{${[...numbers].sort().join()}}'::bigint[]) digest`;
};

/** Creates the driver. It opens the database on first use; after a failure, the next call tries again. */
export const createPostgresDriver = (options: PostgresDriverOptions): PostgresDriver => {
  const { connection, schema, mayCreate, onError } = options;
  const words = {
    schema,
    bytes: 'bytea',
    identity: 'bigserial primary key',
    skipLocked: 'for update skip locked',
    elements: 'json_array_elements($1::json)',
  };
  let pooled: Promise<PostgresPool> | undefined;
  let prepared: Promise<void> | undefined;

  const createPool = async (): Promise<PostgresPool> => {
    if (typeof connection !== 'string') return connection;
    const { Pool } = (await import('pg')).default;
    const pool = new Pool({ connectionString: connection, max: 10, keepAlive: true, ...timeouts });
    return pool.on('error', onError);
  };
  const prepareTables = async (client: PostgresClient): Promise<void> => {
    const query = queryOf(client);
    // Several processes may start at once, and `create … if not exists` alone is not safe then.
    await client.query(`begin; select pg_advisory_xact_lock(hashtext('${schema} schema'))`);
    if (!(await hasTables(query, schema))) {
      if (!mayCreate)
        throw new Error(`The schema "${schema}" of this database does not contain an action inbox.`);
      await client.query(
        `set local client_min_messages = error; create schema if not exists ${schema}; set local search_path = ${schema}`,
      );
      await createTables(query, words);
    }
    await client.query('commit');
  };
  const pool = async (): Promise<PostgresPool> => {
    pooled ??= createPool();
    const opened = await pooled;
    prepared ??= withClient(opened, prepareTables).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    await prepared;
    return opened;
  };

  return {
    ...words,
    pool,
    query: async (sql, parameters) => withClient(await pool(), (client) => queryOf(client)(sql, parameters)),
    transaction: async (work, digests) =>
      withClient(await pool(), async (client) => {
        const lock = digests ? `; ${lockDigests(digests)}` : '';
        // Sync to disk, whatever the role's own setting.
        await client.query(`begin; set local synchronous_commit = on${lock}`);
        const result = await work(queryOf(client));
        await client.query('commit');
        return result;
      }),
    async close() {
      if (typeof connection === 'string') await (await pooled)?.end();
    },
  };
};
