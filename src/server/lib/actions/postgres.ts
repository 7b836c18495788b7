import { on } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { inTime } from '../hostCalls.ts';
import { checkOptions, fail, hasMethods } from '../options.ts';
import type { ActionInbox, InboxChange } from './inbox.ts';
import { type Query, type SqlDriver, type SqlRow, tableStatements } from './sql.ts';
import { createSqlInbox } from './sqlInbox.ts';

/** Options of {@link postgresInbox}. */
export interface PostgresInboxOptions {
  /** Schema of the inbox's tables. Default: `vitrine`. */
  readonly schema?: string;
  /** What happens if the tables are missing: they are created (`create`, default), or every call fails. */
  readonly onMissing?: 'create' | 'fail';
}

/** Time limit of a statement, and of the wait for a connection: a webhook waits for them. */
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
  (client: PoolClient): Query =>
  async (sql, parameters) =>
    // The column types of our tables and of counts.
    (await client.query(sql.replaceAll('now_ms()', nowMs), parameters?.slice())).rows as readonly SqlRow[];

/** Runs work on a connection of a pool. Discards the connection if the work fails: it may be in a transaction, or lost. */
const withClient = async <TResult>(
  pool: Pool,
  work: (client: PoolClient) => Promise<TResult>,
): Promise<TResult> => {
  const client = await pool.connect();
  let isBroken = true;
  try {
    const result = await work(client);
    isBroken = false;
    return result;
  } finally {
    client.release(isBroken);
  }
};

/** Creates missing tables. Existing ones stay unchanged, because creating them takes locks that block running processes. */
const prepareTables = async (query: Query, schema: string, mayCreate: boolean): Promise<void> => {
  // Several processes may start at once, and `create … if not exists` alone is not safe then.
  await query(`select pg_advisory_xact_lock(hashtext('${schema} schema'))`);
  const [found] = await query(
    `select to_regclass('${schema}.meta') as meta, to_regnamespace('${schema}') as namespace`,
  );
  if (found?.['meta'] !== null) return;
  if (!mayCreate)
    throw new Error(`The schema "${schema}" of this database does not contain an action inbox.`);
  await query('set local client_min_messages = error');
  // A role may create tables in an existing schema, and no schema.
  for (const statement of statementsFor(schema).slice(found['namespace'] === null ? 0 : 1))
    await query(statement);
};

/** Creates the driver. It opens the database on first use; after a failure, the next call tries again. */
const createDriver = (options: { readonly max?: number }, schema: string, mayCreate: boolean): SqlDriver => {
  const channel = `${schema}_inbox`;
  const stopping = new AbortController();
  let pooled: Promise<Pool> | undefined;
  let prepared: Promise<void> | undefined;

  const createPool = async (): Promise<Pool> => {
    const { default: pg } = await import('pg');
    const limits = { connectionTimeoutMillis: callMs, query_timeout: callMs };
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const pool = new pg.Pool({
      keepAlive: true,
      allowExitOnIdle: true,
      ...limits,
      ...Object.fromEntries(given),
      // One listens for changes.
      max: Math.max(2, options.max ?? 10),
    });
    // Without a listener, the error of a connection ends the process.
    return pool.on('error', ignore).on('connect', (client) => void client.on('error', ignore));
  };
  const pool = () => (pooled ??= createPool());
  /** Runs work in a transaction. */
  const run = async <TResult>(work: (query: Query) => Promise<TResult>): Promise<TResult> =>
    withClient(await pool(), async (client) => {
      await client.query(beginIn(schema));
      const result = await work(queryOf(client));
      await client.query('commit');
      return result;
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
    const hear = async (
      client: PoolClient & { readonly processID?: number; unref?(): void },
    ): Promise<boolean> => {
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
      // Idle connections do not keep the process alive until they have ended; the time limit does.
      await inTime((async () => (await pooled)?.end())(), 'Closing the connections', callMs).catch(ignore);
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
 * An inbox in Postgres, for hosts on several machines. Pass an address, or the options of a pool of the package `pg`, which
 * is required. The tables are created at first use.
 *
 * @example
 * ```ts
 * import { postgresInbox } from '@vitrine/server/actions';
 *
 * const inbox = postgresInbox(process.env.DATABASE_URL ?? '');
 * ```
 */
export const postgresInbox = (
  connection: string | object,
  options: PostgresInboxOptions = {},
): ActionInbox => {
  const isUsable =
    typeof connection === 'string'
      ? isAddress(connection)
      : hasMethods(connection, []) && !hasMethods(connection, ['connect']);
  if (!isUsable)
    fail(
      'postgresInbox() needs an address like postgres://user:password@host:5432/database, or the options of a pool of `pg`. Write one host, no spaces, and percent-encode characters such as # and / in a password.',
    );
  checkOptions('postgresInbox()', options, {
    schema: true,
    onMissing: { kind: 'choice', values: ['create', 'fail'] },
  });
  const { schema = 'vitrine', onMissing } = options;
  checkSchema(schema);
  const poolOptions = typeof connection === 'string' ? { connectionString: connection } : connection;
  return createSqlInbox(createDriver(poolOptions, schema, onMissing !== 'fail'));
};
