import { parentPort, workerData } from 'node:worker_threads';
import type { Round, RoundResult } from './messages.ts';
import { openSqliteStore, type SqliteStoreOptions } from './sqliteStore.ts';

/** What the thread that owns the inbox says: opened, failed to open, or the result of a round. */
export type WorkerMessage =
  | { readonly kind: 'opened' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'round'; readonly result: RoundResult };

/** What it is told. */
export type WorkerCommand = { readonly kind: 'round'; readonly round: Round } | { readonly kind: 'close' };

// A message port between threads has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const say = (message: WorkerMessage): void => parentPort?.postMessage(message);

try {
  // `createWorkerThread` is the only one to start this file and passes exactly this.
  const { options, nowMs } = workerData as { options: SqliteStoreOptions; nowMs: number };
  const store = openSqliteStore(options, nowMs);
  say({ kind: 'opened' });
  parentPort?.on('message', (command: WorkerCommand) => {
    if (command.kind === 'round') return store.run(command.round, (result) => say({ kind: 'round', result }));
    store.close();
    parentPort?.close();
  });
} catch (error) {
  say({ kind: 'failed', error: error instanceof Error ? error.message : String(error) });
}
