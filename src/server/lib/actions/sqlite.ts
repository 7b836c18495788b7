import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { fail } from '../options.ts';
import { sentence } from './diagnostics.ts';
import type { ActionInbox, InboxChange } from './inbox.ts';
import { type Query, type SqlDriver, tableStatements } from './sql.ts';
import { createSqlInbox } from './sqlInbox.ts';

// Not an import, so that an unsupported Node version fails with our message and not with a missing module.
const sqlite = process.getBuiltinModule('node:sqlite');

/** At the start, a lock may be waited for. Afterward, waiting in SQLite would stop the host's event loop. */
const startBusyMs = 5000;
const busyMs = 10;
const busyPauseMs = 20;

const words = { bytes: 'blob', identity: 'integer primary key autoincrement' };

const isSqliteError = (error: unknown): error is Error & { readonly errcode: number } =>
  error instanceof Error && 'errcode' in error;
/** SQLITE_BUSY, with any extension. */
const isBusy = (error: unknown): boolean => isSqliteError(error) && (error.errcode & 0xff) === 5;

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;
/** The files that a path currently refers to. */
const filesAt = (file: string): string => `${inodeOf(file)} ${inodeOf(`${file}-wal`)}`;

/**
 * Opens a file for durable writes: with `synchronous=FULL`, each commit syncs the log. Rejects a file of another program,
 * and leaves it unchanged. The truncating checkpoint starts a fresh log: otherwise, after a failed sync, frames that exist only in the page
 * cache would precede new ones and break the log's checksum chain at power loss.
 */
const openFile = (file: string, timeout: number) => {
  mkdirSync(dirname(file), { recursive: true });
  const connection = new sqlite.DatabaseSync(file, { timeout });
  try {
    const isEmpty = connection.prepare('select 1 from sqlite_schema').get() === undefined;
    if (!isEmpty) connection.prepare('select publication from deliveries where id = 0');
    connection.function('now_ms', { deterministic: false }, () => Date.now());
    connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off');
    connection.exec('pragma wal_checkpoint(truncate); begin immediate');
    if (isEmpty) connection.exec(tableStatements(words).join(';'));
    connection.exec(`commit; pragma busy_timeout = ${busyMs}`);
    return { connection, files: filesAt(file) };
  } catch (error) {
    connection.close();
    throw error;
  }
};

/** Opens a file at the start, so that no host starts with an inbox that loses each delivery. */
const openFirst = (file: string) => {
  try {
    return openFile(file, startBusyMs);
  } catch (error) {
    const { message } = error as Error; // of Node, or of the checks above
    return fail(
      `sqliteInbox() cannot use ${file}: ${sentence(message)} It must be an action inbox or a new file, in a folder that this process may write to, on a disk with space, and not locked by another program. Move a damaged one away with its -wal and -shm; the command .recover of sqlite3 may find what it contains.`,
    );
  }
};

const queryOf =
  (connection: DatabaseSync): Query =>
  async (sql, parameters = []) =>
    connection
      .prepare(sql.replaceAll(/\$(\d+)/g, '?$1'))
      // The inbox passes numbers, strings, bytes and `undefined`.
      .all(...parameters.map((value) => (value ?? null) as SQLInputValue));

/**
 * Creates the driver. A failed commit or sync is never retried, because the kernel may have dropped the pages whose
 * sync failed: the transaction rejects, and the next one reopens the file.
 */
const createDriver = (file: string): SqlDriver => {
  let current: ReturnType<typeof openFile> | undefined = openFirst(file);
  let onChange: (change: InboxChange) => void = () => undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const closeFile = (): void => {
    current?.connection.close();
    current = undefined;
  };
  const run = async <TResult>(work: (query: Query) => Promise<TResult>, endMs: number): Promise<TResult> => {
    try {
      current ??= openFile(file, busyMs);
      const { connection, files } = current;
      connection.exec('begin');
      const result = await work(queryOf(connection));
      connection.exec('commit');
      if (file === ':memory:' || files === filesAt(file)) return result;
      closeFile();
      onChange({
        problem: `${file} or its -wal was removed or replaced while it was open: stored actions may be lost. Restore them from a backup if you need them, and restart this host. Move ${file}, ${file}-wal and ${file}-shm only together, and while no host runs.`,
      });
    } catch (error) {
      if (!isBusy(error)) closeFile();
      else if (current?.connection.isTransaction) current.connection.exec('rollback');
      if (!isBusy(error) || performance.now() > endMs)
        // SQLite's own messages do not name the file.
        throw isSqliteError(error) ? new Error(`${error.message} (${file})`, { cause: error }) : error;
      await wait(busyPauseMs);
    }
    return run(work, endMs);
  };

  return {
    skipLocked: '',
    transaction(work) {
      // What waits for its turn waits for the same lock.
      const endMs = performance.now() + startBusyMs;
      const turn = queue.then(() => run(work, endMs));
      queue = turn.catch(() => undefined);
      return turn;
    },
    // Other processes look each second.
    announce: async () => undefined,
    listen: (listener) => void (onChange = listener),
    async close() {
      await queue;
      closeFile();
    },
  };
};

/**
 * An inbox in a SQLite file, in WAL mode with `synchronous=FULL`: concurrent deliveries share one commit, and are
 * acknowledged once it is on disk. A missing file is created. Several processes on one machine may share the file. `:memory:` is for tests.
 *
 * @example
 * ```ts
 * const actions = createActions({
 *   portal,
 *   secrets: process.env.VITRINE_WEBHOOK_SECRET ?? '',
 *   inbox: sqliteInbox('./actions.db'),
 *   audience: 'clicker',
 * });
 * ```
 */
export const sqliteInbox = (path: string): ActionInbox => {
  if (typeof path !== 'string' || path === '' || path.startsWith('file:'))
    fail('sqliteInbox() needs the path of a file, such as "./actions.db", and not a URL.');
  // The absolute path now, because a later `chdir` must not change it.
  const file = path === ':memory:' ? path : resolve(path);
  return createSqlInbox(createDriver(file));
};
