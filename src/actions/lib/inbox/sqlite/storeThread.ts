import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PackedDeliveries, Round, RoundResult } from './messages.ts';
import { openSqliteStore, type SqliteStoreOptions } from './sqliteStore.ts';
import type { WorkerCommand, WorkerMessage } from './worker.ts';

/** Where rounds are run. Several may be in flight; they are answered in their order. */
export interface StoreThread {
  /** Resolves when the database is open; rejects when it cannot be opened. */
  readonly opened: Promise<void>;
  run(round: Round): Promise<RoundResult>;
  close(): Promise<void>;
}

/** Runs rounds in the caller's own thread: simpler, but a slow disk then stops the event loop. */
export const createOwnThread = (options: SqliteStoreOptions, nowMs: number): StoreThread => {
  const store = openSqliteStore(options, nowMs);
  return {
    opened: Promise.resolve(),
    // Yields once, so that everything which arrived in this turn of the loop shares the commit.
    run: (round) => new Promise((resolve) => setImmediate(() => store.run(round, resolve))),
    close: async () => store.close(),
  };
};

const maxYoungGenerationSizeMb = 12;

const buffersOf = (packed: PackedDeliveries | null): ArrayBuffer[] =>
  packed && packed.bytes.buffer instanceof ArrayBuffer ? [packed.bytes.buffer] : [];

/** Path of the thread's program beside this file, as source or as built; absent when a bundler moved this file alone. */
const workerFile = (): string | undefined => {
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const path = fileURLToPath(import.meta.url).replace(/[^/\\]*$/, `worker${extension}`);
  return existsSync(path) ? path : undefined;
};

/** Runs rounds in a worker thread, so that a slow sync holds up no request. Falls back to the caller's thread. */
export const createWorkerThread = (options: SqliteStoreOptions, nowMs: number): StoreThread => {
  const path = workerFile();
  if (path === undefined) return createOwnThread(options, nowMs);
  const worker = new Worker(path, {
    workerData: { options, nowMs },
    execArgv: [],
    // Its objects live for one round; a larger nursery would only take memory from the host.
    resourceLimits: { maxYoungGenerationSizeMb },
  });
  /** Those who wait for a round, the first first: answers come in the order of the rounds. */
  let asking: PromiseWithResolvers<RoundResult>[] = [];
  let isGone = false;
  const opened = Promise.withResolvers<void>();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));

  const fail = (error: Error): void => {
    opened.reject(error);
    for (const { reject } of asking) reject(error);
    asking = [];
  };
  worker.on('error', fail);
  worker.on('exit', () => {
    isGone = true;
    fail(new Error('The thread of the action inbox has ended.'));
  });
  worker.on('message', (message: WorkerMessage) => {
    switch (message.kind) {
      case 'opened':
        return opened.resolve();
      case 'failed':
        return fail(new Error(message.error));
      case 'round':
        asking.shift()?.resolve(message.result);
        if (asking.length === 0) worker.unref();
    }
  });
  // A host that is otherwise done may end: rounds in flight keep the process alive, an idle inbox does not.
  opened.promise.then(
    () => worker.unref(),
    () => undefined,
  );
  const tell = (command: WorkerCommand, transfer: ArrayBuffer[] = []): void =>
    worker.postMessage(command, transfer);

  return {
    opened: opened.promise,
    run(round) {
      // A message to it would wait for its answer for ever.
      if (isGone) return Promise.reject(new Error('The thread of the action inbox has ended.'));
      worker.ref();
      const asked = Promise.withResolvers<RoundResult>();
      asking.push(asked);
      tell({ kind: 'round', round }, buffersOf(round.deliveries));
      return asked.promise;
    },
    async close() {
      worker.ref();
      tell({ kind: 'close' });
      await ended;
    },
  };
};
