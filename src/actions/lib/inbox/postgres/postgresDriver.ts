import { createTables, schemaVersion } from '../sql/schema.ts';
import type { Query, SqlDriver, SqlRow } from '../sql/sqlDriver.ts';
import { type PostgresClient, type PostgresPool, withClient } from './postgresPool.ts';

/** Options of {@link createPostgresDriver}. */
export interface PostgresDriverOptions {
  /** A connection string, or a pool that stays the host's. */
  readonly connection: string | PostgresPool;
  readonly schema: string;
  /** Whether missing tables are made; otherwise opening fails. */
  readonly mayCreate: boolean;
  /** Hears of errors outside of any call. */
  readonly onError: (error: unknown) => void;
}

/** The Postgres driver. */
export interface PostgresDriver extends SqlDriver {
  /** The pool, once the tables are there. */
  readonly pool: () => Promise<PostgresPool>;
}

/** The clock of the database, because the machines of several processes may disagree. */
const nowMs = '(extract(epoch from now()) * 1000)::bigint';

/** A database that does not answer must not hold up a delivery for ever: these bound the wait, in milliseconds. */
const timeouts = { connectionTimeoutMillis: 5000, query_timeout: 10_000 };

const queryOf =
  (client: PostgresClient): Query =>
  async (sql, parameters) =>
    // The types of the columns of the tables and of counts.
    (await client.query(sql.replaceAll('now_ms()', nowMs), parameters)).rows as readonly SqlRow[];

/**
 * Whether the tables are there. They then stay unchanged, because making them takes locks that the queue of a running process
 * waits for. Rejects those of another version.
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

/** Takes turns with transactions of the same digests, in one order everywhere, so that two never wait for each other. */
const lockDigests = (digests: readonly Buffer[]): string => {
  const numbers = new Set(digests.map((digest) => String(digest.readBigInt64BE())));
  return `select pg_advisory_xact_lock(digest) from unnest('{${[...numbers].sort().join()}}'::bigint[]) digest`;
};

/** Creates the driver. The database is opened at first use, and tried again by the next call when that failed. */
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
    // Several processes may start at once, and `create … if not exists` alone is no match for that.
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
        // Synced to the disk, whatever the role's own setting says.
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
