import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { VitrineOptionsError } from '@vitrine/server';
import { checkChoice, checkNumbers, checkOptions, type OptionNames } from '@vitrine/server/internal';
import type { ActionInbox, InboxChange } from '../actionInbox.ts';
import { createDiskWatch } from '../diskWatch.ts';
import { type StoreNews, toStored } from './messages.ts';
import { createRoundQueue } from './roundQueue.ts';
import type { SqliteStoreOptions } from './sqliteStore.ts';
import { createOwnThread, createWorkerThread } from './storeThread.ts';

/** Options of {@link sqliteInbox}. */
export interface SqliteInboxOptions {
  /**
   * Folder of the spill files, used while the database cannot take a delivery (a full or failing disk).
   * Default: `<file>.spill`. A folder on another disk protects more. `false` turns spilling off.
   */
  readonly spillFolder?: string | false;
  /** How long the same bytes count as a duplicate, in milliseconds. Default: 24 hours. */
  readonly duplicateWindowMs?: number;
  /**
   * What to do with a damaged file: `set-aside` (default) moves it away and goes on with a fresh one, `fail` leaves it to a
   * person, as a tool beside a running host must.
   */
  readonly onDamage?: 'set-aside' | 'fail';
  /** Where commits run: `worker` (default) keeps a slow disk away from the event loop, `main` saves a thread. */
  readonly thread?: 'worker' | 'main';
  /** Free space of the disk under which the operator is warned, in bytes; `false` never. Default: 256 MiB. */
  readonly minFreeBytes?: number | false;
  /** Hears what an operator should know: a damaged file set aside, spilling, recovery. The webhook over this inbox logs the same. Default: nobody. */
  readonly onNews?: (news: StoreNews) => void;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

const optionNames: OptionNames<SqliteInboxOptions> = {
  spillFolder: true,
  duplicateWindowMs: true,
  onDamage: true,
  thread: true,
  minFreeBytes: true,
  onNews: true,
  now: true,
};

const dayMs = 24 * 60 * 60 * 1000;
const retryAfterMs = 250;
const defaultMinFreeBytes = 256 * 1024 * 1024;

/**
 * The default inbox: one SQLite file in WAL mode, as durable as `synchronous=FULL`, and group commit. Its commits are written
 * with `synchronous=NORMAL` and the log is synced beside them: a call resolves when a sync that began after its commit has
 * succeeded, and on a slow disk the next commit is written meanwhile. Several processes on one machine may share the file;
 * for several machines see `postgresInbox`.
 *
 * @param file Path of the database; its folder is created. `:memory:` keeps nothing and is for tests.
 * @throws VitrineOptionsError when the path is empty or an option does not exist. A file that cannot be opened rejects the first call.
 */
export const sqliteInbox = (file: string, options: SqliteInboxOptions = {}): ActionInbox => {
  if (typeof file !== 'string' || file === '')
    throw new VitrineOptionsError(
      'missing_inbox_file',
      'sqliteInbox needs the path of its file, such as "./actions.db".',
    );
  checkOptions('sqliteInbox', options, optionNames);
  checkChoice('onDamage', options.onDamage, ['set-aside', 'fail']);
  checkChoice('thread', options.thread, ['worker', 'main']);
  checkNumbers('sqliteInbox', options, {
    duplicateWindowMs: [0, Number.MAX_SAFE_INTEGER],
    minFreeBytes: [0, Number.MAX_SAFE_INTEGER, false],
  });
  const isInMemory = file === ':memory:';
  if (!isInMemory) mkdirSync(dirname(file), { recursive: true });
  const now = options.now ?? Date.now;
  const storeOptions: SqliteStoreOptions = {
    file,
    spillFolder:
      options.spillFolder === false || isInMemory ? null : (options.spillFolder ?? `${file}.spill`),
    duplicateWindowMs: options.duplicateWindowMs ?? dayMs,
    retryAfterMs,
    mayBeSetAside: options.onDamage !== 'fail',
  };
  const createThread = options.thread === 'main' ? createOwnThread : createWorkerThread;
  const thread = createThread(storeOptions, now());
  // Whoever calls first hears of a file that cannot be opened; until then nobody is listening.
  thread.opened.catch(() => undefined);

  const listeners = new Set<(change: InboxChange) => void>();
  const newsListeners = new Set<(news: StoreNews) => void>();
  const tell = (change: InboxChange): void => {
    for (const listener of listeners) listener(change);
  };
  const tellNews = (news: StoreNews): void => {
    options.onNews?.(news);
    for (const listener of newsListeners) listener(news);
  };
  const { minFreeBytes = defaultMinFreeBytes } = options;
  const diskWatch =
    isInMemory || minFreeBytes === false
      ? undefined
      : createDiskWatch({
          folder: dirname(file),
          minFreeBytes,
          onLow: (freeBytes) => tellNews({ kind: 'low-disk', freeBytes, minFreeBytes }),
        });
  let isSpilling = false;
  let retry: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;

  const queue = createRoundQueue({
    thread,
    now,
    onResult(result) {
      isSpilling = result.isSpilling;
      for (const news of result.news) {
        tellNews(news);
        if (news.kind === 'damaged' || news.kind === 'recovered') tell('appended');
      }
      if (result.append.kind === 'committed') tell('appended');
      // What waits in the spill file comes home as soon as the disk is well, even if nothing else arrives.
      if (isSpilling && !closing) {
        clearTimeout(retry);
        retry = setTimeout(
          () => queue.operate({ kind: 'lastCursor' }).catch(() => undefined),
          retryAfterMs + 10,
        );
        retry.unref();
      }
    },
  });

  const ask: typeof queue.operate = async (operation) => {
    await thread.opened;
    if (closing) throw new Error('The action inbox is closed.');
    return queue.operate(operation);
  };

  let isOpen = false;
  const opened = thread.opened.then(() => (isOpen = true));
  opened.catch(() => undefined);

  const append: ActionInbox['append'] = (delivery) => {
    if (closing) return Promise.reject(new Error('The action inbox is closed.'));
    return isOpen ? queue.append(delivery) : opened.then(() => append(delivery));
  };

  return {
    append,
    claim: async (request) =>
      (await ask({ kind: 'claim', request })).map((row) => ({
        ...toStored(row),
        lease: String(row.lease),
      })),
    async settle(claimed, outcome) {
      await ask({ kind: 'settle', id: Number(claimed.id), lease: Number(claimed.lease), outcome });
      if (outcome.kind === 'done' || outcome.kind === 'dead') tell('published');
    },
    async effect(deliveryId, key) {
      const found = await ask({ kind: 'effect', id: Number(deliveryId), key });
      return found ? { value: found.value === null ? undefined : JSON.parse(found.value) } : undefined;
    },
    async noteEffect(deliveryId, { key, value }) {
      await ask({
        kind: 'noteEffect',
        id: Number(deliveryId),
        key,
        value: value === undefined ? null : JSON.stringify(value),
      });
    },
    publications: async (after, limit) =>
      (await ask({ kind: 'publications', after, limit })).map((row) => ({
        ...row,
        delivery: toStored(row.delivery),
      })),
    lastCursor: () => ask({ kind: 'lastCursor' }),
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    hear(listener) {
      newsListeners.add(listener);
      return () => void newsListeners.delete(listener);
    },
    list: async (filter) => (await ask({ kind: 'list', filter })).map(toStored),
    async replay(filter) {
      const changed = await ask({ kind: 'replay', filter });
      if (changed > 0) tell('appended');
      return changed;
    },
    prune: (settledBeforeMs) => ask({ kind: 'prune', settledBeforeMs }),
    async health() {
      try {
        const counts = await ask({ kind: 'counts' });
        return { canPersist: !isSpilling, isSpilling, counts };
      } catch {
        return { canPersist: false, isSpilling, counts: { pending: 0, done: 0, parked: 0, dead: 0 } };
      }
    },
    close() {
      closing ??= (async () => {
        clearTimeout(retry);
        diskWatch?.stop();
        await queue.drain();
        await thread.opened.then(
          () => thread.close(),
          () => undefined,
        );
        listeners.clear();
      })();
      return closing;
    },
  };
};
