import { randomUUID } from 'node:crypto';
import type { InboxChange } from '../actionInbox.ts';
import { createTables, schemaVersion } from '../sql/schema.ts';
import type { Query, SqlDriver, SqlWords } from '../sql/sqlDriver.ts';
import { listenForChanges } from './listenForChanges.ts';
import { inTransaction, type PostgresClient, type PostgresPool } from './postgresPool.ts';

/** Settings of the driver. */
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
  /** Calls back after changes of other processes. Returns an unsubscribe function. */
  listen(onChange: (change: InboxChange) => void): () => void;
}

const words: SqlWords = {
  bytes: 'bytea',
  identity: 'bigserial primary key',
  skipLocked: 'for update skip locked',
};
/** The clock of the database, because the machines of several processes may disagree. */
const nowMs = '(extract(epoch from now()) * 1000)::bigint';

/** A database that does not answer must not hold up a delivery for ever: these bound the wait, in milliseconds. */
const timeouts = { connectionTimeoutMillis: 5000, query_timeout: 10_000 };

const queryOf =
  (client: PostgresClient): Query =>
  async (sql, parameters) =>
    (await client.query(sql.replaceAll('now_ms()', nowMs), parameters)).rows;

/**
 * Whether the tables are there. They are then left alone, because making them takes locks that the queue of a running process
 * waits for. Rejects those of another version.
 */
const hasTables = async (query: Query, schema: string): Promise<boolean> => {
  const [row] = await query('select to_regclass($1) as meta, to_regclass($2) as deliveries', [
    `${schema}.meta`,
    `${schema}.deliveries`,
  ]);
  if (row?.['meta'] === null && row['deliveries'] === null) return false;
  const sql = "select value from meta where key = 'version'";
  const version = row?.['meta'] === null ? undefined : (await query(sql))[0]?.['value'];
  if (Number(version) === schemaVersion) return true;
  throw new Error(
    `The schema "${schema}" holds an action inbox of another version (${Number(version) || 'unknown'}; expected ${schemaVersion}). Name another schema, or drop it.`,
  );
};

/** Creates the driver. The database is opened at first use, and tried again by the next call when that failed. */
export const createPostgresDriver = ({
  connection,
  schema,
  mayCreate,
  onError,
}: PostgresDriverOptions): PostgresDriver => {
  const own = randomUUID();
  const channel = `${schema}_inbox`;
  let opening: Promise<PostgresPool> | undefined;

  const withSchema = async <TResult>(
    client: PostgresClient,
    work: (query: Query) => Promise<TResult>,
  ): Promise<TResult> => {
    await client.query(`set local search_path = ${schema}`);
    return work(queryOf(client));
  };

  const createPool = async (): Promise<PostgresPool> => {
    if (typeof connection !== 'string') return connection;
    const { Pool } = (await import('pg')).default;
    const pool = new Pool({ connectionString: connection, max: 10, keepAlive: true, ...timeouts });
    pool.on('error', onError);
    return pool;
  };

  const open = async (): Promise<PostgresPool> => {
    const pool = await createPool();
    try {
      await inTransaction(pool, async (client) => {
        // Several processes may start at once, and `create … if not exists` alone is no match for that.
        await client.query('select pg_advisory_xact_lock(hashtext($1))', [`${schema} schema`]);
        await withSchema(client, async (query) => {
          if (await hasTables(query, schema)) return;
          if (!mayCreate) throw new Error(`The schema "${schema}" of this database holds no action inbox.`);
          await client.query(`set local client_min_messages = error; create schema if not exists ${schema}`);
          await createTables(query, words);
        });
      });
      return pool;
    } catch (error) {
      if (pool !== connection) await pool.end();
      throw error;
    }
  };
  const opened = (): Promise<PostgresPool> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    words,
    transaction: async (work) => inTransaction(await opened(), (client) => withSchema(client, work)),
    notify: async (query, change) =>
      void (await query('select pg_notify($1, $2)', [channel, `${change} ${own}`])),
    // In one order everywhere, so that two transactions never wait for each other.
    lockDigests: async (query, digests) => {
      const sql = 'select pg_advisory_xact_lock(digest) from unnest($1::bigint[]) digest';
      const numbers = new Set(digests.map((digest) => Buffer.from(digest).readBigInt64BE()));
      await query(sql, [[...numbers].sort((a, b) => (a < b ? -1 : 1)).map(String)]);
    },
    listen: (onChange) => listenForChanges({ pool: opened, channel, own, onChange, onError }),
    async close() {
      const pool = await opening?.catch(() => undefined);
      if (typeof connection === 'string') await pool?.end();
    },
  };
};
