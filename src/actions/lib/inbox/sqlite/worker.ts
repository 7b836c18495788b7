/** The worker thread that writes an inbox file. */
import { parentPort, workerData } from 'node:worker_threads';
import type { InboxDiagnostic } from '../actionInbox.ts';
import { createSqlStore, type SqlStore } from '../sql/sqlStore.ts';
import { createSqliteDriver } from './createSqliteDriver.ts';
import type { SqliteDriverOptions } from './sqliteFiles.ts';

/** Start data of the thread. */
export interface WorkerOptions extends SqliteDriverOptions {
  readonly windowMs: number | undefined;
}

/** A call of a method of the store. */
export interface WorkerCall {
  readonly id: number;
  readonly method: keyof SqlStore;
  readonly parameters: readonly unknown[];
}

/** What the thread says: how a call ended, or something for the operator. */
export type WorkerMessage =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: unknown }
  | { readonly diagnostic: InboxDiagnostic };

const say = (message: WorkerMessage): void => parentPort?.postMessage(message);

// `createStoreThread` passes it.
const options = workerData as WorkerOptions;
const onDiagnostic = (diagnostic: InboxDiagnostic): void => say({ diagnostic });
const store = createSqlStore(createSqliteDriver(options, onDiagnostic), options.windowMs);
parentPort?.on('message', async ({ id, method, parameters }: WorkerCall) => {
  try {
    // The caller's proxy has the types of the methods.
    const run = store[method] as (...all: readonly unknown[]) => unknown;
    say({ id, value: await run(...parameters) });
  } catch (error) {
    say({ id, error });
  }
});
