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
import { checkExistingFile } from './sqliteFiles.ts';

/** Options of {@link sqliteInbox}. */
export interface SqliteInboxOptions {
  /** How long the same bytes count as a duplicate, in milliseconds. Default: 24 hours. */
  readonly duplicateWindowMs?: number;
  /** Warns if the file's disk has less free space, in bytes. Default: 256 MiB. */
  readonly minFreeBytes?: number;
  /** Where commits run: in a worker thread (default), or in the main thread, for short-lived programs. */
  readonly thread?: 'worker' | 'main';
  /** What happens if the file is missing or empty: it is created (`create`, default), or every call fails. */
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
 * @throws VitrineOptionsError `missing_inbox_file`, `unknown_option`, `invalid_action_option`; InboxFormatError if the file is not an inbox of this version.
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
  if (!isMemory && settings.mayCreate) mkdirSync(dirname(file), { recursive: true });
  checkExistingFile(file, settings.mayCreate);
  return createSqlInbox({
    createStore: (onDiagnostic) =>
      options.thread === 'main'
        ? createSqlStore(createSqliteDriver(settings, onDiagnostic, options.now), windowMs)
        : createStoreThread({ ...settings, windowMs }, onDiagnostic),
    start: (_, onDiagnostic) => (isMemory ? undefined : watchDisk(file, minFreeBytes, onDiagnostic)),
  });
};
