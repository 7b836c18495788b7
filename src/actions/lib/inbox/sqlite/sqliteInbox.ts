import { mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { VitrineOptionsError } from '@vitrine/server';
import { checkChoice, checkOptions, type OptionNames } from '@vitrine/server/internal';
import type { ActionInbox, InboxDiagnostic } from '../actionInbox.ts';
import { createSqlInbox, type InboxCompanion } from '../createSqlInbox.ts';
import { createSqlStore } from '../sql/sqlStore.ts';
import { createSqliteDriver } from './createSqliteDriver.ts';
import { createStoreThread } from './createStoreThread.ts';
import { inodeOf, prepareFile, resultCode, type SqliteDriverOptions, sqlite } from './sqliteFiles.ts';

/** Options of {@link sqliteInbox}. */
export interface SqliteInboxOptions {
  /** How long the same bytes count as a duplicate, in milliseconds. Default: 24 hours. */
  readonly duplicateWindowMs?: number;
  /** Warns if the file's disk has less free space, in bytes. Default: 256 MiB. */
  readonly minFreeBytes?: number;
  /** Where commits run: in a worker thread (default), or in the main thread, for short-lived programs. */
  readonly thread?: 'worker' | 'main';
  /** What happens if the file is missing or empty: it is created (`create`, default), or the start fails. */
  readonly onMissing?: 'create' | 'fail';
  /** The current time in milliseconds since 1970; only if `thread` is `main`. Default: `Date.now`. */
  readonly now?: () => number;
}

const optionNames: OptionNames<SqliteInboxOptions> = {
  duplicateWindowMs: [0, Number.MAX_SAFE_INTEGER],
  minFreeBytes: [0, Number.MAX_SAFE_INTEGER],
  thread: true,
  onMissing: true,
  now: true,
};

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

/** Opens a file for writing, so that no host starts with an inbox that loses each delivery. */
const checkFile = (options: SqliteDriverOptions): void => {
  const { file, mayCreate } = options;
  try {
    if (mayCreate) mkdirSync(dirname(file), { recursive: true });
    else if (inodeOf(file) === undefined)
      throw new Error(`There is no action inbox at ${file}. Check its path.`);
    using connection = new sqlite.DatabaseSync(file, { timeout: 5000 });
    prepareFile(connection, options);
    connection.exec('begin immediate; rollback');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { message } = error;
    throw new VitrineOptionsError(
      'invalid_inbox_file',
      // Our own errors have no code, and say what to do.
      'code' in error
        ? `sqliteInbox() cannot use ${file}: ${message}. ${adviceOn(resultCode(error), file)}`
        : message,
    );
  }
};

/** Warns when the disk of a file is nearly full, once until there is space again. */
const watchDisk = (
  file: string,
  minFreeBytes: number,
  onDiagnostic: (diagnostic: InboxDiagnostic) => void,
): InboxCompanion => {
  let wasLow = false;
  const check = async (): Promise<void> => {
    // If the check fails, the next commit will show a full disk.
    const { bavail, bsize } = await statfs(dirname(file)).catch(() => ({ bavail: Infinity, bsize: 1 }));
    const freeBytes = bavail * bsize;
    const isLow = freeBytes < minFreeBytes;
    if (isLow && !wasLow) onDiagnostic({ kind: 'low-disk', freeBytes });
    wasLow = isLow;
  };
  void check();
  const timer = setInterval(() => void check(), 60_000).unref();
  return { stop: () => clearInterval(timer) };
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
  if (typeof path !== 'string' || path === '')
    throw new VitrineOptionsError(
      'missing_inbox_file',
      'sqliteInbox() needs the path of a file, such as "./actions.db".',
    );
  checkOptions('sqliteInbox', options, optionNames);
  checkChoice('thread', options.thread, ['worker', 'main']);
  checkChoice('onMissing', options.onMissing, ['create', 'fail']);
  const { duplicateWindowMs: windowMs, minFreeBytes = 256 * 1024 * 1024 } = options;
  const isMemory = path === ':memory:';
  // Resolve now, because a later `chdir` must not change the file.
  const file = isMemory ? path : resolve(path);
  const settings = { file, mayCreate: options.onMissing !== 'fail' };
  if (!isMemory) checkFile(settings);
  return createSqlInbox({
    createStore: (onDiagnostic) =>
      options.thread === 'main'
        ? createSqlStore(createSqliteDriver(settings, onDiagnostic, options.now), windowMs)
        : createStoreThread({ ...settings, windowMs }, onDiagnostic),
    start: (_, onDiagnostic) => (isMemory ? undefined : watchDisk(file, minFreeBytes, onDiagnostic)),
  });
};
