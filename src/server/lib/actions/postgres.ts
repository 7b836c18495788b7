import type { EventEmitter } from 'node:events';
import { on } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { checkOptions, VitrineOptionsError } from '../options.ts';
import {
  type ActionInbox,
  createInbox,
  type InboxChange,
  type Query,
  type SqlDriver,
  type SqlRow,
  schemaVersion,
  tableStatements,
} from './inbox.ts';
import { withTimeout } from './withTimeout.ts';

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

const words = {
  bytes: 'bytea',
  identity: 'bigserial primary key',
  skipLocked: 'for update skip locked',
};

const ignore = (): void => undefined;

/** A conflict with another transaction, or a deadlock: nothing was written, and a second try can succeed. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01');

const statementsFor = (schema: string): readonly string[] => [
  `create schema if not exists ${schema}`,
  `set local search_path = ${schema}`,
  ...tableStatements(words).map((statement) => statement.replaceAll('now_ms()', nowMs)),
];

const queryOf =
  (client: PostgresClient): Query =>
  async (sql, parameters) =>
    // The column types of our tables and of counts.
    (await client.query(sql.replaceAll('now_ms()', nowMs), parameters)).rows as readonly SqlRow[];

/** Runs work on a connection of a pool; discards the connection if the work fails, or when the signal fires. */
const withClient = async <TResult>(
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
  client.on('error', ignore);
  // The connection may be in a transaction, or lost.
  const discard = (): void => client.release(true);
  signal.addEventListener('abort', discard);
  try {
    const result = await work(client);
    client.off('error', ignore);
    client.release();
    return result;
  } catch (error) {
    if (!signal.aborted) discard();
    throw error;
  } finally {
    signal.removeEventListener('abort', discard);
  }
};

/**
 * Creates missing tables, and rejects those of another version. Existing ones stay unchanged, because creating them takes
 * locks that block running processes.
 */
const prepareTables = async (query: Query, schema: string, mayCreate: boolean): Promise<void> => {
  const sql = 'select to_regclass($1) as meta, to_regclass($2) as deliveries';
  const [{ meta = null, deliveries = null } = {}] = await query(sql, [
    `${schema}.meta`,
    `${schema}.deliveries`,
  ]);
  if (meta !== null || deliveries !== null) {
    const [row] = meta ? await query(`select value from meta where key = 'version'`) : [];
    const version = Number(row?.['value']);
    if (version === schemaVersion) return;
    throw new Error(
      `The schema "${schema}" contains an action inbox of another version (${version || 'unknown'}; expected ${schemaVersion}). Use another schema, or drop it.`,
    );
  }
  if (!mayCreate)
    throw new Error(`The schema "${schema}" of this database does not contain an action inbox.`);
  await query('set local client_min_messages = error');
  const [{ found = null } = {}] = await query('select to_regnamespace($1) as found', [schema]);
  for (const statement of statementsFor(schema).slice(found === null ? 0 : 1)) await query(statement);
};

/** Creates the driver. It opens the database on first use; after a failure, the next call tries again. */
const createDriver = (connection: string | PostgresPool, schema: string, mayCreate: boolean): SqlDriver => {
  const channel = `${schema}_inbox`;
  const stopping = new AbortController();
  let pooled: Promise<PostgresPool> | undefined;
  let prepared: Promise<void> | undefined;

  const createPool = async (): Promise<PostgresPool> => {
    if (typeof connection !== 'string') return connection;
    const { Pool } = (await import('pg')).default;
    return new Pool({
      connectionString: connection,
      max: 10,
      keepAlive: true,
      connectionTimeoutMillis: callMs,
      allowExitOnIdle: true,
    }).on('error', ignore);
  };
  /** Runs work in a transaction, within the time limit; once more after a conflict. */
  const run = async <TResult>(work: (query: Query) => Promise<TResult>): Promise<TResult> => {
    const pool = await (pooled ??= createPool());
    return withTimeout({ what: 'A call to Postgres', timeoutMs: callMs }, async (signal) => {
      const attempt = () =>
        withClient(pool, signal, async (client) => {
          await client.query(beginIn(schema));
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
  };
  const prepare = (): Promise<void> =>
    (prepared ??= run(async (query) => {
      // Several processes may start at once, and `create … if not exists` alone is not safe then.
      await query(`select pg_advisory_xact_lock(hashtext('${schema} schema'))`);
      await prepareTables(query, schema, mayCreate);
    }).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    }));

  /** Resolves to false behind a pooler, where LISTEN would stay on a connection that others use. */
  const hear = async (client: PostgresClient, onChange: (change: InboxChange) => void): Promise<boolean> => {
    const { rows } = await client.query('select pg_backend_pid() as pid');
    if (rows[0]?.['pid'] !== client.processID) return false;
    const notifications = on(client, 'notification', { signal: stopping.signal, close: ['end'] });
    await client.query(`listen ${channel}`);
    client.unref?.();
    // What happened before is not announced again.
    onChange('appended');
    onChange('published');
    for await (const [{ payload }] of notifications)
      if (payload === 'appended' || payload === 'published') onChange(payload);
    throw new Error('The connection that listens for changes of the action inbox has ended.');
  };
  /** Keeps one connection on LISTEN. Without it, changes are found at the next look. */
  const keepHearing = async (onChange: (change: InboxChange) => void): Promise<void> => {
    const { signal } = stopping;
    for (let mayListen = true; mayListen && !signal.aborted; )
      try {
        await prepare();
        mayListen = await withClient(await (pooled ??= createPool()), signal, (client) =>
          hear(client, onChange),
        );
      } catch {
        await wait(reconnectMs, undefined, { signal, ref: false }).catch(ignore);
      }
  };

  // Without a listener, the error of an idle connection ends the process.
  if (typeof connection !== 'string') connection.on?.('error', ignore);
  return {
    words,
    async transaction(work) {
      await prepare();
      return run(work);
    },
    async announce(query, change) {
      // Deliveries of all processes are stored in turn, so that duplicates are found.
      if (change === 'appended') await query(`select pg_advisory_xact_lock(hashtext('${schema} append'))`);
      await query('select pg_notify($1, $2)', [channel, change]);
    },
    listen: (listener) => void keepHearing(listener),
    async close() {
      stopping.abort();
      if (typeof connection !== 'string') return;
      const limit = { what: 'Closing the connections to Postgres', timeoutMs: callMs };
      await withTimeout(limit, async () => (await pooled)?.end()).catch(ignore);
    },
  };
};

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Why `pg` cannot use an address; undefined if it can. It never quotes the address, which contains a password. */
const faultOf = (address: string): string | undefined => {
  if (address.startsWith(' ')) return 'begins or ends with a space';
  // A socket: its folder, and the database.
  if (address.startsWith('/')) return undefined;
  if (!/^(?:postgres(?:ql)?:\/\/|socket:)/i.test(address)) return 'does not begin with postgres://';
  if (/^postgres(?:ql)?:\/\/$/i.test(address.trim())) return 'names no host and no database';
  if (address.endsWith(' ')) return 'begins or ends with a space';
  const [, authority = '', rest = ''] = /^[^/]*\/\/([^/?#]*)(.*)$/s.exec(address) ?? [];
  if (authority.split('@').at(-1)?.includes(',')) return 'names several hosts';
  const port = /:(\d+)$/.exec(authority)?.[1];
  if (Number(port ?? 1) > 65_535) return `has the port ${port}; ports end at 65535`;
  // A user without a host is only valid here.
  const url = URL.parse(address.replace('@/', '@localhost/'));
  if (url === null || rest.includes('@'))
    return 'is not a URL; characters such as # and / in a password must be percent-encoded';
  const mode = url.searchParams.get('sslmode');
  if (mode === null || sslModes.includes(mode)) return undefined;
  return `has an unknown sslmode; use one of ${sslModes.join(', ')}`;
};

const checkConnection = (connection: string | PostgresPool): void => {
  const isPool = typeof connection === 'object' && connection !== null && 'connect' in connection;
  if (!isPool && (typeof connection !== 'string' || connection === ''))
    throw new VitrineOptionsError(
      'missing_inbox_connection',
      'postgresInbox() needs a connection string ("postgres://…") or a pool of `pg`.',
    );
  const fault = typeof connection === 'string' ? faultOf(connection) : undefined;
  if (fault !== undefined)
    throw new VitrineOptionsError(
      'invalid_inbox_connection',
      `The address of postgresInbox() ${fault}. Write postgres://user:password@host:5432/database, with one host.`,
    );
  const max = isPool ? connection.options?.max : undefined;
  if (max !== undefined && max < 2)
    throw new VitrineOptionsError(
      'inbox_pool_too_small',
      `The pool of postgresInbox() has ${max} connection(s); it needs at least 2, because one listens for changes. Raise \`max\`.`,
    );
};

const checkSchema = (schema: string): void => {
  // It is used in SQL statements unquoted.
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw new VitrineOptionsError(
      'invalid_inbox_schema',
      `The schema of postgresInbox() is ${JSON.stringify(schema)}; it must be lower-case letters, digits and underscores, at most 41, and must not begin with a digit.`,
    );
};

/**
 * The SQL that creates the tables of {@link postgresInbox}, for a database administrator to run if the host's role may not.
 *
 * @throws VitrineOptionsError `invalid_inbox_schema`.
 */
export const postgresInboxSchema = (schema = 'vitrine'): string => {
  checkSchema(schema);
  return `begin;\n${statementsFor(schema).join(';\n')};\ncommit;\n`;
};

/**
 * An inbox in Postgres, for hosts on several machines. Pass a connection string, which requires `pg`, or your own pool. The
 * tables are created at first use.
 *
 * @throws VitrineOptionsError `missing_inbox_connection`, `invalid_inbox_connection`, `inbox_pool_too_small`,
 * `invalid_inbox_schema`, `unknown_option`, `invalid_action_option`.
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
  const inbox = createInbox(createDriver(connection, schema, onMissing !== 'fail'));
  const limit = { what: 'Storing a delivery in Postgres', timeoutMs: callMs };
  // A delivery may wait for a commit that hangs.
  return { ...inbox, append: (delivery) => withTimeout(limit, () => inbox.append(delivery)) };
};
