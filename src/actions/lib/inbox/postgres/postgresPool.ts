import type { EventEmitter } from 'node:events';

/** Rows of a query. */
export interface PostgresResult {
  readonly rows: readonly Record<string, unknown>[];
}

/** A connection of a pool. */
export interface PostgresClient extends EventEmitter {
  query(sql: string, values?: readonly unknown[]): Promise<PostgresResult>;
  /** Returns it to the pool; with an error, discards it. */
  release(error?: Error | boolean): void;
}

/** The part of `pg.Pool` that we use. */
export interface PostgresPool {
  readonly options?: { readonly max?: number | undefined };
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
}

/** The interrupted query rejects too, and its caller handles that. */
const ignoreBreak = (): void => undefined;

/** Runs work on a connection of a pool; discards the connection if the work fails. */
export const withClient = async <TResult>(
  pool: PostgresPool,
  work: (client: PostgresClient) => Promise<TResult>,
): Promise<TResult> => {
  const client = await pool.connect();
  // A pool only handles errors of idle connections; an error of one in use would crash the host.
  client.on('error', ignoreBreak);
  try {
    const result = await work(client);
    client.off('error', ignoreBreak);
    client.release();
    return result;
  } catch (error) {
    // The connection may still be in a transaction, so discard it.
    client.release(true);
    throw error;
  }
};
