import { mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { VitrineOptionsError } from '@vitrine/server';
import { checkChoice, checkNumbers, checkOptions, type OptionNames } from '@vitrine/server/internal';
import type { ActionInbox, InboxDiagnostic } from '../actionInbox.ts';
import { createSpillFolder } from '../spill/spillFolder.ts';
import { createSqlStore } from '../sql/sqlStore.ts';
import { createSqlInbox } from '../sqlInbox.ts';
import { createSqliteDriver } from './sqliteDriver.ts';
import { checkExistingFile } from './sqliteFile.ts';
import { createStoreThread } from './storeThread.ts';

/** Options of {@link sqliteInbox}. */
export interface SqliteInboxOptions {
  /**
   * Folder for deliveries that the file cannot take, best on another disk; `false` for none, and then they are answered with
   * 503. Default: `<file>.spill`.
   */
  readonly spillFolder?: string | false;
  /** How long the same bytes count as a duplicate, in milliseconds. Default: 24 hours. */
  readonly duplicateWindowMs?: number;
  /** Less free space than this on the file's disk is reported, in bytes. Default: 256 MiB. */
  readonly minFreeBytes?: number;
  /** Where commits run: in a worker thread (default), or in the caller's, for short-lived programs. */
  readonly thread?: 'worker' | 'main';
  /** What becomes of a damaged file: it is moved away for a fresh one (`quarantine`, default), or opening it fails. */
  readonly onDamage?: 'quarantine' | 'fail';
  /** The present moment in milliseconds since 1970; only where `thread` is `main`. Default: `Date.now`. */
  readonly now?: () => number;
}

const optionNames: OptionNames<SqliteInboxOptions> = {
  spillFolder: true,
  duplicateWindowMs: true,
  minFreeBytes: true,
  thread: true,
  onDamage: true,
  now: true,
};

const dayMs = 24 * 60 * 60 * 1000;
const lookAtDiskMs = 60_000;

const checkFile = (file: unknown): string => {
  if (typeof file !== 'string' || file === '')
    throw new VitrineOptionsError(
      'missing_inbox_file',
      'sqliteInbox() needs the path of its file, such as "./actions.db".',
    );
  // At once, because a later `chdir` must not name another file.
  return file === ':memory:' ? file : resolve(file);
};

/** Warns when the disk of a file is nearly full, once until there is room again. Returns the end of it. */
const watchDisk = (
  file: string,
  minFreeBytes: number,
  onDiagnostic: (diagnostic: InboxDiagnostic) => void,
) => {
  let isLow = false;
  const look = async (): Promise<void> => {
    try {
      const { bavail, bsize } = await statfs(dirname(file));
      const freeBytes = bavail * bsize;
      if (freeBytes < minFreeBytes && !isLow) onDiagnostic({ kind: 'low-disk', freeBytes });
      isLow = freeBytes < minFreeBytes;
    } catch {
      // A disk that says nothing is found out by the next commit.
    }
  };
  void look();
  const timer = setInterval(() => void look(), lookAtDiskMs);
  timer.unref();
  return () => clearInterval(timer);
};

/**
 * An inbox in a SQLite file, in WAL mode with `synchronous=FULL`: whoever waits shares one commit, and nobody is answered
 * before it is on the disk. Several processes of one machine may share the file. `:memory:` is for tests.
 *
 * @throws VitrineOptionsError `missing_inbox_file`, `unknown_option`, `invalid_action_option`; InboxFormatError when the file is something
 * else than an inbox of this version.
 */
export const sqliteInbox = (path: string, options: SqliteInboxOptions = {}): ActionInbox => {
  checkOptions('sqliteInbox', options, optionNames);
  checkNumbers('sqliteInbox', options, {
    duplicateWindowMs: [0, Number.MAX_SAFE_INTEGER],
    minFreeBytes: [0, Number.MAX_SAFE_INTEGER],
  });
  checkChoice('thread', options.thread, ['worker', 'main']);
  checkChoice('onDamage', options.onDamage, ['quarantine', 'fail']);
  const { duplicateWindowMs = dayMs, minFreeBytes = 256 * 1024 * 1024, now = Date.now } = options;
  const file = checkFile(path);
  const isMemory = file === ':memory:';
  const spillFolder = options.spillFolder ?? (isMemory ? false : `${file}.spill`);
  const spillPath = spillFolder === false ? undefined : resolve(spillFolder);
  const settings = { file, duplicateWindowMs, mayQuarantine: !isMemory && options.onDamage !== 'fail' };
  if (!isMemory) {
    mkdirSync(dirname(file), { recursive: true });
    checkExistingFile(file);
  }

  let tell: ((diagnostic: InboxDiagnostic) => void) | undefined;
  const onDiagnostic = (diagnostic: InboxDiagnostic): void => tell?.(diagnostic);
  const inThread = (options.thread ?? 'worker') === 'worker';
  const store = inThread
    ? createStoreThread(settings, onDiagnostic)
    : createSqlStore(createSqliteDriver(settings, { onDiagnostic, now }), duplicateWindowMs);
  return createSqlInbox({
    store,
    createSpill: (listener) => (spillPath === undefined ? undefined : createSpillFolder(spillPath, listener)),
    start: (signals) => {
      tell = signals.onDiagnostic;
      if (isMemory) return () => undefined;
      return watchDisk(file, minFreeBytes, signals.onDiagnostic);
    },
  });
};
