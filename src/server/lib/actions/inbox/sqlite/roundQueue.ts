import type { AppendReceipt, NewDelivery } from '../actionInbox.ts';
import { type Operation, type OperationResults, packDeliveries, type RoundResult } from './messages.ts';
import type { StoreThread } from './storeThread.ts';

interface WaitingAppend {
  readonly delivery: NewDelivery;
  readonly resolve: (receipt: AppendReceipt) => void;
  readonly reject: (error: Error) => void;
}

interface WaitingOperation {
  readonly operation: Operation;
  readonly resolve: (value: OperationResults[keyof OperationResults]) => void;
  readonly reject: (error: Error) => void;
}

/** Bounds of one commit, so that no waiter pays for an endless batch. */
const maxDeliveries = 1024;
const maxBytes = 16 * 1024 * 1024;

/** Settings of {@link createRoundQueue}. */
export interface RoundQueueOptions {
  readonly thread: StoreThread;
  readonly now: () => number;
  /** Sees every result before its waiters do. */
  readonly onResult: (result: RoundResult) => void;
}

/** Work waiting for the inbox. */
export interface RoundQueue {
  append(delivery: NewDelivery): Promise<AppendReceipt>;
  operate<TOperation extends Operation>(operation: TOperation): Promise<OperationResults[TOperation['kind']]>;
  /** Resolves when nothing waits any more. */
  drain(): Promise<void>;
}

/**
 * Group commit that clocks itself: one round is in flight, everything that arrives meanwhile is the next one.
 * At rest a delivery waits for nobody; under load a commit carries all who waited for the one before.
 */
export const createRoundQueue = ({ thread, now, onResult }: RoundQueueOptions): RoundQueue => {
  let appends: WaitingAppend[] = [];
  let operations: WaitingOperation[] = [];
  let running: Promise<void> | undefined;

  const takeAppends = (): WaitingAppend[] => {
    let bytes = 0;
    let count = 0;
    for (const { delivery } of appends) {
      bytes += delivery.raw.byteLength;
      if (count === maxDeliveries || (count > 0 && bytes > maxBytes)) break;
      count += 1;
    }
    const taken = appends.slice(0, count);
    appends = appends.slice(count);
    return taken;
  };

  const settleAppends = (taken: readonly WaitingAppend[], { append }: RoundResult): void =>
    taken.forEach(({ resolve, reject }, index) => {
      switch (append.kind) {
        case 'committed': {
          const duplicateOf = append.duplicatesOf[index];
          return resolve({
            id: String(append.ids[index]),
            ...(typeof duplicateOf === 'number' && { duplicateOf: String(duplicateOf) }),
            isSpilled: false,
          });
        }
        case 'spilled':
          return resolve({ isSpilled: true });
        case 'lost':
          return reject(new Error(`The action inbox cannot store: ${append.error}`));
        case 'none':
          return reject(new Error('The action inbox lost track of a delivery.'));
      }
    });

  const runRounds = async (): Promise<void> => {
    while (appends.length > 0 || operations.length > 0) {
      const taken = takeAppends();
      const asked = operations;
      operations = [];
      try {
        const result = await thread.run({
          nowMs: now(),
          deliveries: taken.length > 0 ? packDeliveries(taken.map(({ delivery }) => delivery)) : null,
          operations: asked.map(({ operation }) => operation),
        });
        onResult(result);
        settleAppends(taken, result);
        asked.forEach(({ resolve, reject }, index) => {
          const answer = result.operations[index];
          if (answer?.isOk) resolve(answer.value);
          else reject(new Error(`The action inbox failed: ${answer?.error ?? 'no answer'}`));
        });
      } catch (error) {
        const cause = error instanceof Error ? error : new Error(String(error));
        for (const { reject } of [...taken, ...asked]) reject(cause);
      }
    }
    running = undefined;
  };

  const start = (): void => {
    // The next turn of the loop: requests read in this one travel together from the first round on.
    running ??= new Promise((resolve) => setImmediate(resolve)).then(runRounds);
  };

  return {
    append: (delivery) =>
      new Promise((resolve, reject) => {
        appends.push({ delivery, resolve, reject });
        start();
      }),
    operate: <TOperation extends Operation>(operation: TOperation) =>
      new Promise<OperationResults[TOperation['kind']]>((resolve, reject) => {
        operations.push({
          operation,
          // The store answers each operation with the result of its own kind.
          resolve: resolve as WaitingOperation['resolve'],
          reject,
        });
        start();
      }),
    async drain() {
      await running;
      if (appends.length + operations.length > 0) await this.drain();
    },
  };
};
