import { Worker } from 'node:worker_threads';
import type { InboxDiagnostic } from '../actionInbox.ts';
import type { SqlStore } from '../sql/sqlStore.ts';
import type { WorkerCall, WorkerMessage, WorkerOptions } from './worker.ts';

const workerFile = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const methods = [
  'append',
  'claim',
  'settle',
  'effect',
  'noteEffect',
  'publications',
  'lastCursor',
  'list',
  'replay',
  'prune',
  'counts',
  'close',
] as const satisfies readonly (keyof SqlStore)[];

/** The buffers of bodies, each of its own: a view of a pooled one would bring the whole pool along. */
const withOwnBuffers = (
  parameters: readonly unknown[],
): { readonly parameters: readonly unknown[]; readonly buffers: ArrayBuffer[] } => {
  const [batch, ...rest] = parameters as Parameters<SqlStore['append']>;
  const deliveries = batch.deliveries.map((delivery) => ({
    ...delivery,
    raw: Uint8Array.from(delivery.raw),
  }));
  return {
    parameters: [{ ...batch, deliveries }, ...rest],
    buffers: deliveries.map(({ raw }) => raw.buffer),
  };
};

/** Runs a store in a thread of its own. One that dies rejects what it had; the next call starts another. */
export const createStoreThread = (
  options: WorkerOptions,
  onDiagnostic: (diagnostic: InboxDiagnostic) => void,
): SqlStore => {
  const pending = new Map<number, Pending>();
  let worker: Worker | undefined;
  let lastId = 0;

  const take = (message: WorkerMessage): void => {
    if (message.kind === 'diagnostic') return onDiagnostic(message.diagnostic);
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    if (pending.size === 0) worker?.unref();
    if (message.kind === 'result') waiting?.resolve(message.value);
    else waiting?.reject(message.error);
  };

  const start = (): Worker => {
    const started = new Worker(workerFile(), { workerData: options, name: 'vitrine-actions' });
    const end = (error: unknown): void => {
      if (worker === started) worker = undefined;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    started.on('message', take);
    started.on('error', end);
    started.on('exit', () => end(new Error('The thread of the action inbox has ended.')));
    return started;
  };

  const call = (method: WorkerCall['method'], given: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker ??= start();
      const { parameters, buffers } =
        method === 'append' ? withOwnBuffers(given) : { parameters: given, buffers: [] };
      const id = (lastId += 1);
      worker.postMessage({ id, method, parameters } satisfies WorkerCall, buffers);
      worker.ref();
      pending.set(id, { resolve, reject });
    });

  const calls = methods.map((method) => [
    method,
    (...parameters: readonly unknown[]) => call(method, parameters),
  ]);
  return {
    // Each method hands on its parameters and gives what the store in the thread gives.
    ...(Object.fromEntries(calls) as SqlStore),
    async close() {
      if (worker === undefined) return;
      await call('close', []);
      await worker?.terminate();
    },
  };
};
