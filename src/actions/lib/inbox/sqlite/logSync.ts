import { closeSync, existsSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';

/** Called when a sync has ended; with the error when it failed. */
type Ended = (error?: Error | null) => void;

/** Syncs the log of an open inbox, so that a commit can follow while the disk works for the one before. */
export interface LogSync {
  /** Whether the disk is one that is waited for longer than worked for. */
  readonly isSlow: boolean;
  /** Syncs what has been committed so far; `ended` may be called at once. */
  sync(ended: Ended): void;
  /** Lets go of the file, when the last sync has ended. */
  close(): void;
}

/** A sync that takes longer lets go of the processor; a shorter one is not worth the way to another thread and back. */
const quickMs = 1;
/** So many slow syncs in a row make a slow disk; one alone may be a busy moment. */
const slowSyncs = 8;
/** Syncs at once. Each keeps one of the four threads that Node has for a whole process. */
const maxSyncs = 2;

/**
 * Opens the log of a database; `undefined` when it has none. Each sync that is under way has a descriptor of its own: the
 * kernel reports a failed write once to each, so that of two syncs over one descriptor the wrong one might hear of it.
 */
export const createLogSync = (file: string): LogSync | undefined => {
  const path = `${file}-wal`;
  if (!existsSync(path)) return undefined;
  const free = Array.from({ length: maxSyncs }, () => openSync(path, 'r+'));
  let waiting: Ended[] = [];
  let slowInARow = 0;
  let isClosed = false;

  const isSlow = (): boolean => slowInARow >= slowSyncs;
  const note = (startedAt: number): void => {
    slowInARow = performance.now() - startedAt > quickMs ? slowInARow + 1 : 0;
  };

  const syncHere = (descriptor: number, ended: Ended): void => {
    const startedAt = performance.now();
    try {
      fdatasyncSync(descriptor);
    } catch (error) {
      return ended(error instanceof Error ? error : new Error(String(error)));
    }
    note(startedAt);
    ended();
  };

  const syncElsewhere = (): void => {
    const descriptor = waiting.length > 0 ? free.pop() : undefined;
    if (descriptor === undefined) return;
    const covered = waiting;
    waiting = [];
    const startedAt = performance.now();
    fdatasync(descriptor, (error) => {
      note(startedAt);
      if (isClosed) closeSync(descriptor);
      else free.push(descriptor);
      for (const ended of covered) ended(error);
      syncElsewhere();
    });
  };

  return {
    get isSlow() {
      return isSlow();
    },
    sync(ended) {
      const [descriptor] = free;
      if (descriptor !== undefined && free.length === maxSyncs && !isSlow())
        return syncHere(descriptor, ended);
      waiting.push(ended);
      syncElsewhere();
    },
    close() {
      isClosed = true;
      for (const descriptor of free.splice(0)) closeSync(descriptor);
    },
  };
};
