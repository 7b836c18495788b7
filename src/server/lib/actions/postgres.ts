import { type EventEmitter, on } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { checkOptions, fail, hasMethods } from '../options.ts';
import type { ActionInbox, InboxChange } from './inbox.ts';
import { type Query, type SqlDriver, type SqlRow, schemaVersion, tableStatements } from './sql.ts';
import { createSqlInbox } from './sqlInbox.ts';
import { withTimeout } from './withTimeout.ts';

/** A connection of a pool. */
export interface PostgresClient extends EventEmitter {
  /** The server's process that it was opened on. */
  readonly processID?: number | null;
  query(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  /** Returns it to the pool; with `true`, discards it. */
  release(isBroken?: boolean): void;
  /** Lets the process end while it is open. */
  unref?(): void;
}

/** The part of `pg.Pool` that we use. */
export interface PostgresPool {
  readonly options?: { readonly max?: number | undefined };
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
  on?(event: 'error', listener: (error: Error) => void): unknown;
}

/** Options of {@link postgresInbox}. */
export interface PostgresInboxOptions {
  /** Schema of the inbox's tables. Default: `vitrine`. */
  readonly schema?: string;
  /** What happens if the tables are missing: they are created (`create`, default), or every call fails. */
  readonly onMissing?: 'create' | 'fail';
}

/** Time limit of a call, in milliseconds: a webhook waits for it, and a host's pool may have no limits of its own. */
const callMs = 5000;
const reconnectMs = 1000;

/** The clock of the database, because clocks of several machines may differ. */
const nowMs = '(extract(epoch from now()) * 1000)::bigint';

/**
 * Begins a transaction that does not depend on the settings of the database, the role or the session. Its own settings
 * end with it, because others may use the connection. Postgres cancels a statement without a client, which frees its locks.
 */
const beginIn = (schema: string) => `begin isolation level read committed read write;
  set local search_path = ${schema}, pg_catalog; set local synchronous_commit = on;
  set local statement_timeout = ${callMs}; set local idle_in_transaction_session_timeout = ${callMs}`;

const ignore = (): void => undefined;

const statementsFor = (schema: string): readonly string[] => [
  `create schema if not exists ${schema}`,
  `set local search_path = ${schema}`,
  ...tableStatements({ bytes: 'bytea', identity: 'bigserial primary key' }).map((statement) =>
    statement.replaceAll('now_ms()', nowMs),
  ),
];

const queryOf =
  (client: PostgresClient): Query =>
  async (sql, parameters) =>
    // The column types of our tables and of counts.
    (await client.query(sql.replaceAll('now_ms()', nowMs), parameters)).rows as readonly SqlRow[];

/** Runs work on a connection of a pool. Discards the connection if the work fails, or the signal fires before its end. */
const withClient = async <TResult>(
  pool: PostgresPool,
  work: (client: PostgresClient) => Promise<TResult>,
  signal?: AbortSignal,
): Promise<TResult> => {
  const client = await pool.connect();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal?.addEventListener('abort', () => reject(signal.reason));
  // It may be in a transaction, or lost.
  let isBroken = true;
  // A pool only handles errors of idle connections; an error of one in use would crash the host.
  client.on('error', ignore);
  try {
    signal?.throwIfAborted();
    const result = await Promise.race([work(client), aborted]);
    client.off('error', ignore);
    isBroken = false;
    return result;
  } finally {
    client.release(isBroken);
  }
};

/**
 * Creates missing tables, and rejects those of another version. Existing ones stay unchanged, because creating them takes
 * locks that block running processes.
 */
const prepareTables = async (query: Query, schema: string, mayCreate: boolean): Promise<void> => {
  // Several processes may start at once, and `create … if not exists` alone is not safe then.
  await query(`select pg_advisory_xact_lock(hashtext('${schema} schema'))`);
  const found = 'select to_regclass($1) as meta, to_regnamespace($2) as namespace';
  const [{ meta = null, namespace = null } = {}] = await query(found, [`${schema}.meta`, schema]);
  const [row] = meta === null ? [] : await query(`select value from meta where key = 'version'`);
  const version = Number(row?.['value'] ?? 0);
  if (version === schemaVersion) return;
  if (meta !== null || !mayCreate)
    throw new Error(
      `The schema "${schema}" of this database does not contain an action inbox${meta === null ? '' : ` of version ${schemaVersion}, but of version ${version}: use another schema, or drop it`}.`,
    );
  await query('set local client_min_messages = error');
  // A role may create tables in an existing schema, and no schema.
  for (const statement of statementsFor(schema).slice(namespace === null ? 0 : 1)) await query(statement);
};

/** Creates the driver. It opens the database on first use; after a failure, the next call tries again. */
const createDriver = (connection: string | PostgresPool, schema: string, mayCreate: boolean): SqlDriver => {
  const channel = `${schema}_inbox`;
  const stopping = new AbortController();
  let pooled: Promise<PostgresPool> | undefined;
  let prepared: Promise<void> | undefined;

  const createPool = async (): Promise<PostgresPool> => {
    // Without a listener, the error of an idle connection ends the process.
    if (typeof connection !== 'string') {
      connection.on?.('error', ignore);
      return connection;
    }
    const { Pool } = (await import('pg')).default;
    return new Pool({
      connectionString: connection,
      max: 10,
      keepAlive: true,
      connectionTimeoutMillis: callMs,
      allowExitOnIdle: true,
    }).on('error', ignore);
  };
  const pool = () => (pooled ??= createPool());
  /** Runs work in a transaction, within the time limit. */
  const run = <TResult>(work: (query: Query) => Promise<TResult>): Promise<TResult> =>
    withTimeout({ what: 'A call to Postgres', timeoutMs: callMs }, async (signal) => {
      const transact = async (client: PostgresClient) => {
        await client.query(beginIn(schema));
        const result = await work(queryOf(client));
        await client.query('commit');
        return result;
      };
      return withClient(await pool(), transact, signal);
    });
  const prepare = (): Promise<void> =>
    (prepared ??= run((query) => prepareTables(query, schema, mayCreate)).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    }));

  /** Keeps one connection on LISTEN. Without it, changes are found at the next look. */
  const listen = async (onChange: (change: InboxChange) => void): Promise<void> => {
    const { signal } = stopping;
    /** Resolves to false behind a pooler, where LISTEN would stay on a connection that others use. */
    const hear = async (client: PostgresClient): Promise<boolean> => {
      const { rows } = await client.query('select pg_backend_pid() as pid');
      if (rows[0]?.['pid'] !== client.processID) return false;
      const notifications = on(client, 'notification', { signal, close: ['end'] });
      await client.query(`listen ${channel}`);
      client.unref?.();
      // What happened before is not announced again.
      onChange('appended');
      onChange('published');
      for await (const [{ payload }] of notifications) onChange(payload);
      throw new Error('The connection that listens for changes of the action inbox has ended.');
    };
    for (let mayListen = true; mayListen && !signal.aborted; )
      try {
        await prepare();
        mayListen = await withClient(await pool(), hear);
      } catch {
        await wait(reconnectMs, undefined, { signal, ref: false }).catch(ignore);
      }
  };

  return {
    skipLocked: 'for update skip locked',
    async transaction(work) {
      await prepare();
      return run(work);
    },
    async announce(query, change) {
      // Deliveries of all processes are stored in turn, so that duplicates are found.
      if (change === 'appended') await query(`select pg_advisory_xact_lock(hashtext('${schema} append'))`);
      await query('select pg_notify($1, $2)', [channel, change]);
    },
    listen: (listener) => void listen(listener),
    async close() {
      stopping.abort();
      if (typeof connection !== 'string') return;
      const limit = { what: 'Closing the connections to Postgres', timeoutMs: callMs };
      await withTimeout(limit, async () => (await pooled)?.end()).catch(ignore);
    },
  };
};

/** Whether `pg` can use an address: a socket (its folder, and the database), or a URL with one host. */
const isAddress = (address: string): boolean => {
  if (/^(?:\/|socket:)/.test(address)) return true;
  // A user without a host is only valid for `pg`.
  const url = URL.parse(address.replace('@/', '@localhost/'));
  return /^postgres(?:ql)?:\/\/(?=\S)(?:[^/?#]*@)?[^\s/?#,@]*(?:[/?][^ @]*)?$/i.test(address) && url !== null;
};

const checkConnection = (connection: string | PostgresPool): void => {
  if (!(typeof connection === 'string' ? isAddress(connection) : hasMethods(connection, ['connect'])))
    fail(
      'postgresInbox() needs an address like postgres://user:password@host:5432/database, or a pool of `pg`. Write one host, no spaces, and percent-encode characters such as # and / in a password.',
    );
  const max = typeof connection === 'string' ? undefined : connection.options?.max;
  if (max !== undefined && max < 2)
    fail(
      `The pool of postgresInbox() has ${max} connection(s); it needs at least 2, because one listens for changes. Raise \`max\`.`,
    );
};

const checkSchema = (schema: string): void => {
  // It is used in SQL statements unquoted.
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    fail(
      `The schema of postgresInbox() is ${JSON.stringify(schema)}; it must be lower-case letters, digits and underscores, at most 41, and must not begin with a digit.`,
    );
};

/**
 * The SQL that creates the tables of {@link postgresInbox}, for a database administrator to run if the host's role may not.
 */
export const postgresInboxSchema = (schema = 'vitrine'): string => {
  checkSchema(schema);
  return `begin;\n${statementsFor(schema).join(';\n')};\ncommit;\n`;
};

/**
 * An inbox in Postgres, for hosts on several machines. Pass a connection string, which requires `pg`, or your own pool. The
 * tables are created at first use.
 *
 * @example
 * ```ts
 * import { postgresInbox } from '@vitrine/server/actions';
 *
 * const inbox = postgresInbox(process.env.DATABASE_URL ?? '');
 * ```
 */
export const postgresInbox = (
  connection: string | PostgresPool,
  options: PostgresInboxOptions = {},
): ActionInbox => {
  checkConnection(connection);
  checkOptions('postgresInbox()', options, {
    schema: true,
    onMissing: { kind: 'choice', values: ['create', 'fail'] },
  });
  const { schema = 'vitrine', onMissing } = options;
  checkSchema(schema);
  return createSqlInbox(createDriver(connection, schema, onMissing !== 'fail'));
};
