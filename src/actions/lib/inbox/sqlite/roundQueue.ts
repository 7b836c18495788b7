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
/** Rounds in flight on a slow disk. */
const maxRounds = 2;
/** So many turns of the loop a round waits at most. */
const maxTurns = 16;
/** With each round this much of an earlier crowd is still expected. */
const memory = 0.9;

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
 * carry the same. On a slow one a second round is sent while the first is being synced, each with half of all who are
 * there: one half is read and answered while the disk works for the other. In one round they would all wait for the disk,
 * and then the disk for them.
 */
export const createRoundQueue = ({ thread, now, onResult }: RoundQueueOptions): RoundQueue => {
  let appends: WaitingAppend[] = [];
  let operations: WaitingOperation[] = [];
  /** Rounds in flight, and how much they carry. */
  const inFlight = { rounds: 0, items: 0 };
  /** How many there were of late, waiting and in flight. */
  let crowd = 0;
  let isSlow = false;
  let isGathering = false;
  let whenIdle: (() => void)[] = [];

  const waiting = (): number => appends.length + operations.length;
  const mayStart = (): boolean => waiting() > 0 && inFlight.rounds < (isSlow ? maxRounds : 1);
  /** Whether a round has its share of the crowd, on a slow disk. */
  const isFull = (): boolean => isSlow && waiting() * maxRounds >= crowd;

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

  const runRound = async (taken: readonly WaitingAppend[], asked: readonly WaitingOperation[]) => {
    try {
      const result = await thread.run({
        nowMs: now(),
        deliveries: taken.length > 0 ? packDeliveries(taken.map(({ delivery }) => delivery)) : null,
        operations: asked.map(({ operation }) => operation),
      });
      isSlow = result.isDiskSlow;
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
  };

  const startRound = async (): Promise<void> => {
    crowd = Math.max(waiting() + inFlight.items, crowd * memory);
    const taken = takeAppends();
    const asked = operations;
    operations = [];
    const items = taken.length + asked.length;
    inFlight.rounds += 1;
    inFlight.items += items;
    await runRound(taken, asked);
    inFlight.rounds -= 1;
    inFlight.items -= items;
    next();
  };

  const gather = async (): Promise<void> => {
    isGathering = true;
    const turns = isSlow ? 1 : maxTurns;
    for (let turn = 0, seen = 0; turn < turns && waiting() > seen; turn += 1) {
      seen = waiting();
      await new Promise((resolve) => setImmediate(resolve));
    }
    isGathering = false;
    if (mayStart() && (inFlight.rounds === 0 || isFull())) void startRound();
  };

  /** Sees to it that whatever waits has a round to wait for. */
  const next = (): void => {
    if (mayStart()) {
      if (isFull()) void startRound();
      else if (!isGathering) void gather();
    }
    if (inFlight.rounds > 0 || waiting() > 0) return;
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  };

  return {
    append: (delivery) =>
      new Promise((resolve, reject) => {
        appends.push({ delivery, resolve, reject });
        next();
      }),
    operate: <TOperation extends Operation>(operation: TOperation) =>
      new Promise<OperationResults[TOperation['kind']]>((resolve, reject) => {
        operations.push({
          operation,
          // The store answers each operation with the result of its own kind.
          resolve: resolve as WaitingOperation['resolve'],
          reject,
        });
        next();
      }),
    drain: () =>
      new Promise((resolve) => {
        whenIdle.push(resolve);
        next();
      }),
  };
};
