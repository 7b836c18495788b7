/** The thread in which an inbox file is written. */
import { parentPort, workerData } from 'node:worker_threads';
import type { InboxDiagnostic } from '../actionInbox.ts';
import { createSqlStore, type SqlStore } from '../sql/sqlStore.ts';
import { createSqliteDriver, type SqliteDriverOptions } from './sqliteDriver.ts';

/** What the thread is started with. */
export interface WorkerOptions extends SqliteDriverOptions {
  readonly duplicateWindowMs: number;
}

/** A call of a method of the store. */
export interface WorkerCall {
  readonly id: number;
  readonly method: keyof SqlStore;
  readonly parameters: readonly unknown[];
}

/** What the thread says. */
export type WorkerMessage =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: unknown }
  | { readonly kind: 'diagnostic'; readonly diagnostic: InboxDiagnostic };

// A thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const say = (message: WorkerMessage): void => parentPort?.postMessage(message);

// It is what `createStoreThread` gave.
const options = workerData as WorkerOptions;
const driver = createSqliteDriver(options, {
  onDiagnostic: (diagnostic) => say({ kind: 'diagnostic', diagnostic }),
  now: Date.now,
});
const store = createSqlStore(driver, options.duplicateWindowMs);
parentPort?.on('message', async ({ id, method, parameters }: WorkerCall) => {
  try {
    // The caller's proxy has the types of the methods.
    const run = store[method] as (...all: readonly unknown[]) => unknown;
    say({ kind: 'result', id, value: await run(...parameters) });
  } catch (error) {
    say({ kind: 'error', id, error });
  }
});
