import type { EventEmitter } from 'node:events';

/** Rows of a query. */
export interface PostgresResult {
  readonly rows: readonly Record<string, unknown>[];
}

/** A connection of a pool. */
export interface PostgresClient extends EventEmitter {
  /** The server's process that it was opened on. */
  readonly processID?: number | null;
  query(sql: string, values?: readonly unknown[]): Promise<PostgresResult>;
  /** Returns it to the pool; with an error, discards it. */
  release(error?: Error | boolean): void;
}

/** The part of `pg.Pool` that we use. */
export interface PostgresPool {
  readonly options?: { readonly max?: number | undefined };
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
  on?(event: 'error', listener: (error: Error) => void): unknown;
}

/** The interrupted query rejects too, and its caller handles that. */
const ignoreBreak = (): void => undefined;

/** Runs work on a connection of a pool; discards the connection if the work fails, or when the signal fires. */
export const withClient = async <TResult>(
  pool: PostgresPool,
  signal: AbortSignal,
  work: (client: PostgresClient) => Promise<TResult>,
): Promise<TResult> => {
  const client = await pool.connect();
  if (signal.aborted) {
    client.release();
    throw signal.reason;
  }
  // A pool only handles errors of idle connections; an error of one in use would crash the host.
  client.on('error', ignoreBreak);
  // The connection may be in a transaction, or lost.
  const discard = (): void => client.release(true);
  signal.addEventListener('abort', discard);
  try {
    const result = await work(client);
    client.off('error', ignoreBreak);
    client.release();
    return result;
  } catch (error) {
    if (!signal.aborted) discard();
    throw error;
  } finally {
    signal.removeEventListener('abort', discard);
  }
};
