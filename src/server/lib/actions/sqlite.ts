import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkOptions, VitrineOptionsError } from '../options.ts';
import { sentence } from './diagnostics.ts';
import {
  type ActionInbox,
  createInbox,
  type InboxChange,
  type Query,
  type SqlDriver,
  schemaVersion,
  tableStatements,
} from './inbox.ts';

// Not an import, so that an unsupported Node version fails with our message and not with a missing module.
const sqlite = process.getBuiltinModule('node:sqlite');

/** Options of {@link sqliteInbox}. */
export interface SqliteInboxOptions {
  /** What happens if the file is missing or empty: it is created (`create`, default), or the start fails. */
  readonly onMissing?: 'create' | 'fail';
}

/** Marks a file as an inbox: "VACT". */
const applicationId = 0x56414354;
/** At the start, a lock may be waited for. Afterward, waiting in SQLite would stop the host's event loop. */
const startBusyMs = 5000;
const busyMs = 10;
const busyPauseMs = 20;

const words = { bytes: 'blob', identity: 'integer primary key autoincrement', skipLocked: '' };

/** SQLite's result code of an error; 0 if it has none. */
const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

const isBusy = (error: unknown): boolean => resultCode(error) === 5;
/** Whether the connection is still usable after an error (SQLITE_BUSY, SQLITE_FULL, SQLITE_CONSTRAINT). */
const isHarmless = (error: unknown): boolean => [5, 13, 19].includes(resultCode(error));

/** What to do about an error of SQLite, by its result code; 0 for an error of the file system. */
const adviceOn = (code: number, file: string): string => {
  switch (code) {
    case 0: // file system
    case 8: // SQLITE_READONLY
    case 14: // SQLITE_CANTOPEN
      return 'It must be a file, in a folder that this process may write to.';
    case 5: // SQLITE_BUSY
      return 'Another program has locked it: end that program.';
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return `Move it and its -wal and -shm, or restore it from a backup; \`sqlite3 ${file} .recover\` may find what it contains.`;
    default:
      return 'Check its disk, and the space on it.';
  }
};

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;
/** The files that a path currently refers to. */
const filesAt = (file: string): string =>
  file === ':memory:' ? file : `${inodeOf(file)} ${inodeOf(`${file}-wal`)}`;

/**
 * Opens a file for durable writes: with `synchronous=FULL`, each commit syncs the log. Rejects a file of another program or
 * version. The truncating checkpoint starts a fresh log: otherwise, after a failed sync, frames that exist only in the page
 * cache would precede new ones and break the log's checksum chain at power loss.
 */
const openFile = (file: string, mayCreate: boolean, timeout: number): DatabaseSync => {
  const connection = new sqlite.DatabaseSync(file, { timeout });
  try {
    const { application_id: id } = connection.prepare('pragma application_id').get() ?? {};
    const { user_version: version } = connection.prepare('pragma user_version').get() ?? {};
    const isEmpty = id === 0 && connection.prepare('select 1 from sqlite_schema limit 1').get() === undefined;
    if (isEmpty && !mayCreate)
      throw new Error(
        `${file} is empty: it is not an action inbox. Check its path; a host creates its inbox when it starts.`,
      );
    if (!isEmpty && (id !== applicationId || version !== schemaVersion))
      throw new Error(
        `${file} is not an action inbox of this version (application ID ${String(id)}, version ${String(version)}; expected ${applicationId}, version ${schemaVersion}). Move it, or use another file.`,
      );
    connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off');
    connection.exec('pragma wal_checkpoint(truncate)');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
};

/** Opens a file for writing once, so that no host starts with an inbox that loses each delivery. */
const checkFile = (file: string, mayCreate: boolean): void => {
  try {
    if (mayCreate) mkdirSync(dirname(file), { recursive: true });
    else if (inodeOf(file) === undefined)
      throw new Error(`There is no action inbox at ${file}. Check its path.`);
    using connection = openFile(file, mayCreate, startBusyMs);
    connection.exec('begin immediate; rollback');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Our own errors have no code, and say what to do.
    const advice = 'code' in error ? adviceOn(resultCode(error), file) : undefined;
    throw new VitrineOptionsError(
      'invalid_inbox_file',
      advice === undefined
        ? error.message
        : `sqliteInbox() cannot use ${file}: ${sentence(error.message)} ${advice}`,
    );
  }
};

const queryOf = (connection: DatabaseSync): Query => {
  const statements = new Map<string, StatementSync>();
  return async (sql, parameters = []) => {
    const statement = statements.get(sql) ?? connection.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
    statements.set(sql, statement);
    // The inbox passes numbers, strings, bytes and `undefined`.
    return statement.all(...parameters.map((value) => (value ?? null) as SQLInputValue));
  };
};

/**
 * Creates the driver. A failed commit or sync is never retried, because the kernel may have dropped the pages whose
 * sync failed: the transaction rejects, and the next one reopens the file.
 */
const createDriver = (file: string, mayCreate: boolean): SqlDriver => {
  let current: { readonly connection: DatabaseSync; readonly query: Query; files?: string } | undefined;
  let hasOpened = false;
  let onChange: (change: InboxChange) => void = () => undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const open = async () => {
    const connection = openFile(file, mayCreate, busyMs);
    try {
      connection.function('now_ms', { deterministic: false }, () => Date.now());
      const query = queryOf(connection);
      connection.exec('begin immediate');
      for (const statement of tableStatements(words)) await query(statement);
      // IDs are idempotency keys: those of a file that was removed while it was open start above all earlier ones.
      await query(
        `insert into sqlite_sequence (name, seq) select 'deliveries', $1
         where not exists (select 1 from sqlite_sequence where name = 'deliveries')`,
        [hasOpened ? Date.now() : 0],
      );
      connection.exec(
        `pragma application_id = ${applicationId}; pragma user_version = ${schemaVersion}; commit`,
      );
      hasOpened = true;
      return { connection, query };
    } catch (error) {
      connection.close();
      throw error;
    }
  };
  const closeFile = (): void => {
    current?.connection.close();
    current = undefined;
  };
  /** Runs work once; undefined if the files were replaced, so that what it wrote may be lost. */
  const attempt = async <TResult>(work: (query: Query) => Promise<TResult>, isRead: boolean) => {
    try {
      current ??= await open();
      const { connection, query } = current;
      connection.exec(isRead ? 'begin' : 'begin immediate');
      const result = await work(query);
      connection.exec('commit');
      const files = filesAt(file);
      if ((current.files ??= files) === files) return { result };
    } catch (error) {
      if (!isHarmless(error)) closeFile();
      else if (current?.connection.isTransaction) current.connection.exec('rollback');
      throw error;
    }
    closeFile();
    onChange({
      problem: `${file} or its -wal was removed or replaced while it was open: stored actions may be lost. Restore them from a backup if you need them, and restart this host. Move ${file}, ${file}-wal and ${file}-shm only together, and while no host runs.`,
    });
    return undefined;
  };
  const run = async <TResult>(work: (query: Query) => Promise<TResult>, isRead: boolean) => {
    const endMs = performance.now() + startBusyMs;
    for (let replacements = 0; replacements < 2; )
      try {
        const done = await attempt(work, isRead);
        if (done) return done.result;
        replacements += 1;
      } catch (error) {
        if (isBusy(error) && performance.now() < endMs) await wait(busyPauseMs);
        // SQLite's own messages do not name the file.
        else if (resultCode(error) === 0) throw error;
        else throw Object.assign(new Error(`${(error as Error).message} (${file})`), { cause: error });
      }
    throw new Error(`${file} was replaced repeatedly.`);
  };

  return {
    words,
    transaction(work, isRead = false) {
      const turn = queue.then(() => run(work, isRead));
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

/** The absolute path of a file, now, because a later `chdir` must not change it. */
const pathOf = (given: string): string => {
  if (typeof given !== 'string' || given === '')
    throw new VitrineOptionsError(
      'missing_inbox_file',
      'sqliteInbox() needs the path of a file, such as "./actions.db".',
    );
  if (given === ':memory:') return given;
  if (!given.startsWith('file:')) return resolve(given);
  if (/^file:\/[^?#]*$/.test(given)) return fileURLToPath(given);
  throw new VitrineOptionsError(
    'invalid_inbox_file',
    `sqliteInbox() cannot use ${given}: write a path, such as "./actions.db", or the URL of a file without parameters.`,
  );
};

/**
 * An inbox in a SQLite file, in WAL mode with `synchronous=FULL`: concurrent deliveries share one commit, and are
 * acknowledged once it is on disk. Several processes on one machine may share the file. `:memory:` is for tests.
 *
 * @throws VitrineOptionsError `missing_inbox_file`, `invalid_inbox_file`, `unknown_option`, `invalid_action_option`.
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
export const sqliteInbox = (path: string, options: SqliteInboxOptions = {}): ActionInbox => {
  const file = pathOf(path);
  checkOptions('sqliteInbox()', options, { onMissing: { kind: 'choice', values: ['create', 'fail'] } });
  const mayCreate = options.onMissing !== 'fail';
  if (file !== ':memory:') checkFile(file, mayCreate);
  return createInbox(createDriver(file, mayCreate));
};
