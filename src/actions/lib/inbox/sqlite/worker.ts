/** The thread in which an inbox file is written, or looked through for damage. */
import { parentPort, workerData } from 'node:worker_threads';
import type { InboxDiagnostic } from '../actionInbox.ts';
import { createSqlStore, type SqlStore } from '../sql/sqlStore.ts';
import { createSqliteDriver, type SqliteDriverOptions } from './sqliteDriver.ts';
import { checkFile } from './sqliteFile.ts';

/** What the thread is started with. */
export interface WorkerOptions extends SqliteDriverOptions {
  readonly duplicateWindowMs: number;
  /** Looks through the file once, and ends. */
  readonly isCheck?: boolean;
}

/** A call of a method of the store. */
export interface WorkerCall {
  readonly id: number;
  readonly method: keyof SqlStore | 'reportDamage';
  readonly parameters: readonly unknown[];
}

/** What the thread says. */
export type WorkerMessage =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: unknown }
  | { readonly kind: 'diagnostic'; readonly diagnostic: InboxDiagnostic }
  | { readonly kind: 'damage'; readonly reason: string };

// A thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const say = (message: WorkerMessage): void => parentPort?.postMessage(message);

const sayDiagnostic = (diagnostic: InboxDiagnostic): void => say({ kind: 'diagnostic', diagnostic });

const serve = (options: WorkerOptions): void => {
  const driver = createSqliteDriver(options, { onDiagnostic: sayDiagnostic, now: Date.now });
  const store = createSqlStore(driver, options.duplicateWindowMs);
  const methods = { ...store, reportDamage: driver.reportDamage };
  parentPort?.on('message', async ({ id, method, parameters }: WorkerCall) => {
    try {
      // The caller's proxy has the types of the methods.
      const run = methods[method] as (...all: readonly unknown[]) => unknown;
      say({ kind: 'result', id, value: await run(...parameters) });
    } catch (error) {
      say({ kind: 'error', id, error });
    }
  });
};

const check = ({ file }: WorkerOptions): void => {
  try {
    checkFile(file);
  } catch (error) {
    // A file that cannot be read for another reason is found out by its own thread.
    if (error instanceof Error && 'errcode' in error && Number(error.errcode) === 11)
      say({ kind: 'damage', reason: error.message });
  }
};

// It is what `createStoreThread` gave.
const options = workerData as WorkerOptions;
if (options.isCheck) check(options);
else serve(options);
