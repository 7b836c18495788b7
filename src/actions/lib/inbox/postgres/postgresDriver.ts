import { withTimeout } from '../../withTimeout.ts';
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

/** Time limit of a call, in milliseconds: a webhook waits for it, and a host's pool may have no limits of its own. */
export const callMs = 5000;

/**
 * Begins a transaction that does not depend on the settings of the database, the role or the session. Its own settings
 * end with it, because others may use the connection. Postgres ends what nobody waits for, which frees its locks.
 */
const begin = `begin isolation level read committed read write; set local synchronous_commit = on;
  set local statement_timeout = ${callMs}; set local idle_in_transaction_session_timeout = ${callMs}`;

/** A conflict with another transaction, or a deadlock: nothing was written, and a second try can succeed. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01');

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

/** Runs work in a transaction, within the time limit; once more after a conflict. `lock` is its first statement. */
const runTransaction = <TResult>(
  pool: PostgresPool,
  work: (query: Query) => Promise<TResult>,
  lock = '',
): Promise<TResult> =>
  withTimeout({ what: 'A call to Postgres', timeoutMs: callMs }, async (signal) => {
    const attempt = () =>
      withClient(pool, signal, async (client) => {
        await client.query(`${begin}; ${lock}`);
        const result = await work(queryOf(client));
        await client.query('commit');
        return result;
      });
    try {
      return await attempt();
    } catch (error) {
      if (isConflict(error)) return attempt();
      throw error;
    }
  });

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
    const limits = { max: 10, keepAlive: true, connectionTimeoutMillis: callMs };
    return new Pool({ connectionString: connection, ...limits }).on('error', onError);
  };
  const prepareTables = async (query: Query): Promise<void> => {
    if (await hasTables(query, schema)) return;
    if (!mayCreate)
      throw new Error(`The schema "${schema}" of this database does not contain an action inbox.`);
    await query('set local client_min_messages = error');
    await query(`create schema if not exists ${schema}`);
    await query(`set local search_path = ${schema}`);
    await createTables(query, words);
  };
  const pool = async (): Promise<PostgresPool> => {
    pooled ??= createPool();
    const opened = await pooled;
    // Several processes may start at once, and `create … if not exists` alone is not safe then.
    const lock = `select pg_advisory_xact_lock(hashtext('${schema} schema'))`;
    prepared ??= runTransaction(opened, prepareTables, lock).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    await prepared;
    return opened;
  };
  const transaction: SqlDriver['transaction'] = async (work, digests) =>
    runTransaction(await pool(), work, digests && lockDigests(digests));

  // Without a listener, the error of an idle connection ends the process.
  if (typeof connection !== 'string') connection.on?.('error', onError);
  return {
    ...words,
    pool,
    query: (sql, parameters) => transaction((run) => run(sql, parameters)),
    transaction,
    async close() {
      if (typeof connection !== 'string') return;
      const limit = { what: 'Closing the connections to Postgres', timeoutMs: callMs };
      await withTimeout(limit, async () => (await pooled)?.end()).catch(onError);
    },
  };
};
