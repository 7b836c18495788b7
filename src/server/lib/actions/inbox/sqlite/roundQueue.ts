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
/** On a disk this quick, a commit costs more processor time than the wait for whoever is just speaking. */
const quickMs = 1;
/** So many turns of the loop a round waits at most. */
const maxTurns = 16;

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
 * At rest a delivery waits for nobody; under load a commit carries all who waited for the one before. On a quick disk it
 * also waits while each turn of the loop brings more: senders who were just answered speak again, and half as many commits
 * carry the same. On a slow one it starts at once, and the disk works while they are read.
 */
export const createRoundQueue = ({ thread, now, onResult }: RoundQueueOptions): RoundQueue => {
  let appends: WaitingAppend[] = [];
  let operations: WaitingOperation[] = [];
  let running: Promise<void> | undefined;

  const waiting = (): number => appends.length + operations.length;

  const gather = async (): Promise<void> => {
    for (let turns = 0, seen = 0; turns < maxTurns && waiting() > seen; turns += 1) {
      seen = waiting();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

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
    // After a rest it is not known how quick the disk is, and what was read in this turn travels together.
    let isQuick = true;
    while (waiting() > 0) {
      if (isQuick) await gather();
      const taken = takeAppends();
      const asked = operations;
      operations = [];
      const nowMs = now();
      try {
        const result = await thread.run({
          nowMs,
          deliveries: taken.length > 0 ? packDeliveries(taken.map(({ delivery }) => delivery)) : null,
          operations: asked.map(({ operation }) => operation),
        });
        isQuick = now() - nowMs <= quickMs;
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
    running ??= runRounds();
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
      if (waiting() > 0) await this.drain();
    },
  };
};
