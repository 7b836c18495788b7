import type { EventEmitter } from 'node:events';

/** Rows of a query. */
export interface PostgresResult {
  readonly rows: readonly Record<string, unknown>[];
}

/** A connection of a pool. */
export interface PostgresClient extends EventEmitter {
  query(sql: string, values?: readonly unknown[]): Promise<PostgresResult>;
  /** Gives it back; with an error it is thrown away. */
  release(error?: Error | boolean): void;
}

/** What is used of a `pg.Pool`. */
export interface PostgresPool {
  readonly options?: { readonly max?: number | undefined };
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
}

/** The query that the break interrupts fails too, and that is where it is handled. */
const ignoreBreak = (): void => undefined;

/** Works on a connection of a pool, which is thrown away when that fails. */
export const withClient = async <TResult>(
  pool: PostgresPool,
  work: (client: PostgresClient) => Promise<TResult>,
): Promise<TResult> => {
  const client = await pool.connect();
  // A pool watches idle connections alone; one that breaks in use would otherwise end the host's process.
  client.on('error', ignoreBreak);
  try {
    const result = await work(client);
    client.off('error', ignoreBreak);
    client.release();
    return result;
  } catch (error) {
    // Whether a commit went through is unknown, so the connection does not go back with a transaction in it.
    client.release(true);
    throw error;
  }
};
