import { Worker } from 'node:worker_threads';
import type { InboxDiagnostic } from '../actionInbox.ts';
import type { SqlStore } from '../sql/sqlStore.ts';
import type { WorkerCall, WorkerMessage, WorkerOptions } from './worker.ts';

const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

/** Runs a store in a worker thread. If it dies, its pending calls reject, and the next call starts another. */
export const createStoreThread = (
  options: WorkerOptions,
  onDiagnostic: (diagnostic: InboxDiagnostic) => void,
): SqlStore => {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let worker: Worker | undefined;
  let lastId = 0;

  const take = (message: WorkerMessage): void => {
    if ('diagnostic' in message) return onDiagnostic(message.diagnostic);
    const call = pending.get(message.id);
    pending.delete(message.id);
    if (pending.size === 0) worker?.unref();
    if ('error' in message) call?.reject(message.error);
    else call?.resolve(message.value);
  };
  const start = (): Worker => {
    const started = new Worker(workerFile, { workerData: options, name: 'vitrine-actions' });
    const end = (error: unknown): void => {
      if (worker === started) worker = undefined;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    started.on('message', take);
    started.on('error', end);
    return started.on('exit', () => end(new Error('The worker thread of the action inbox has ended.')));
  };
  const call = (method: keyof SqlStore, parameters: readonly unknown[]): Promise<unknown> => {
    const result = Promise.withResolvers<unknown>();
    const id = (lastId += 1);
    worker ??= start();
    worker.postMessage({ id, method, parameters } satisfies WorkerCall, []);
    worker.ref();
    pending.set(id, result);
    return result.promise;
  };
  const close = async (): Promise<void> => {
    if (worker) await call('close', []);
    await worker?.terminate();
  };

  // Each method passes its parameters to the store in the thread and returns its result.
  return new Proxy({} as SqlStore, {
    get: (_, method: keyof SqlStore) =>
      method === 'close' ? close : (...parameters: readonly unknown[]) => call(method, parameters),
  });
};
