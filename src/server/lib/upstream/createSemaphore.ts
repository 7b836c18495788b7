import { bulkhead } from 'cockatiel';

/** Why a caller was rejected without its turn. */
export type QueueRejection = 'queue_full' | 'waited_too_long' | 'aborted';

/** A {@link Semaphore} rejected a caller. */
export class QueueRejectionError extends Error {
  override readonly name = 'QueueRejectionError';
  readonly reason: QueueRejection;

  constructor(reason: QueueRejection) {
    super(`No turn: ${reason}.`);
    this.reason = reason;
  }
}

/** How long a caller waits. */
export interface Wait {
  readonly endMs: number;
  readonly signal: AbortSignal;
}

/** Lets a limited number of tasks run at once; others wait in a queue of limited length, for a limited time. */
export interface Semaphore {
  /**
   * Runs a task in its turn. Rejects with a {@link QueueRejectionError} if its turn does not come before `endMs`
   * (`performance.now()`).
   */
  run<TValue>(task: () => Promise<TValue>, wait: Wait): Promise<TValue>;
  readonly inFlight: number;
  readonly waiting: number;
}

/**
 * Creates a {@link Semaphore} on cockatiel's bulkhead, which supports neither a time limit nor cancellation for its
 * queue. The entry of a caller who left stays in that queue and does nothing in its turn.
 */
export const createSemaphore = (options: {
  readonly maxConcurrent: number;
  readonly maxQueue: number;
}): Semaphore => {
  const { maxConcurrent, maxQueue } = options;
  const policy = bulkhead(maxConcurrent, Number.POSITIVE_INFINITY);
  let waiting = 0;

  const wait = <TValue>(task: () => Promise<TValue>, { endMs, signal }: Wait): Promise<TValue> => {
    const { promise, resolve, reject } = Promise.withResolvers<TValue>();
    let isWaiting = true;
    const leaveQueue = () => {
      isWaiting = false;
      waiting -= 1;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const rejectWith = (reason: QueueRejection) => {
      leaveQueue();
      reject(new QueueRejectionError(reason));
    };
    const onAbort = () => rejectWith('aborted');
    const timer = setTimeout(rejectWith, Math.max(0, endMs - performance.now()), 'waited_too_long');
    signal.addEventListener('abort', onAbort);
    waiting += 1;
    const takeTurn = async () => {
      if (!isWaiting) return;
      leaveQueue();
      // The promise settles with the task, so that the slot is free afterward.
      await task().then(resolve, reject);
    };
    void policy.execute(takeTurn);
    return promise;
  };

  return {
    run: (task, until) => {
      if (policy.executionSlots > 0) return policy.execute(task);
      if (waiting >= maxQueue) return Promise.reject(new QueueRejectionError('queue_full'));
      return wait(task, until);
    },
    get inFlight() {
      return maxConcurrent - policy.executionSlots;
    },
    get waiting() {
      return waiting;
    },
  };
};
