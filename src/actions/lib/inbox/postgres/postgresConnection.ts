import { type BossQueue, openBossQueue } from './bossQueue.ts';
import { inTransaction, type PostgresPool, type PostgresResult } from './postgresPool.ts';
import { postgresSchema } from './postgresSchema.ts';

/** Options of {@link createPostgresConnection}. */
export interface PostgresConnectionOptions {
  /** A connection string, or a pool that stays the host's. */
  readonly connection: string | PostgresPool;
  readonly schema: string;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** The open database: its pool, and the queue beside the tables. */
export interface OpenedPostgres {
  readonly pool: PostgresPool;
  readonly queue: BossQueue;
}

/** A database that is opened at first use, and tried again by the next call when that failed. */
export interface PostgresConnection {
  opened(): Promise<OpenedPostgres>;
  query(sql: string, values?: readonly unknown[]): Promise<PostgresResult>;
  close(): Promise<void>;
}

/** A database that does not answer must not hold up a delivery for ever: these bound the wait, in milliseconds. */
const timeouts = { connectionTimeoutMillis: 5000, query_timeout: 30_000 };

/** Creates the connection and, when it opens, the tables. */
export const createPostgresConnection = (options: PostgresConnectionOptions): PostgresConnection => {
  const { connection, schema, leaseMs, now, onError } = options;
  let opening: Promise<OpenedPostgres> | undefined;

  const createPool = async (): Promise<PostgresPool> => {
    if (typeof connection !== 'string') return connection;
    const { Pool } = (await import('pg')).default;
    const pool = new Pool({ connectionString: connection, max: 12, keepAlive: true, ...timeouts });
    pool.on('error', onError);
    return pool;
  };

  const open = async (): Promise<OpenedPostgres> => {
    const pool = await createPool();
    try {
      const queue = await inTransaction(pool, async (client) => {
        // Several processes may start at once, and `create … if not exists` alone is no match for that.
        await client.query('select pg_advisory_xact_lock(hashtext($1))', [`${schema} schema`]);
        await client.query(postgresSchema(schema, now()));
        return openBossQueue({ pool, schema: `${schema}_queue`, leaseMs, onError });
      });
      return { pool, queue };
    } catch (error) {
      if (pool !== connection) await pool.end();
      throw error;
    }
  };

  const opened = (): Promise<OpenedPostgres> => {
    opening ??= open().catch((error: unknown) => {
      // The next call tries again: a database that starts later than the host is nothing special.
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    opened,
    query: async (sql, values = []) => (await opened()).pool.query(sql, values),
    async close() {
      const parts = await opening?.catch(() => undefined);
      await parts?.queue.stop();
      if (typeof connection === 'string') await parts?.pool.end();
    },
  };
};
