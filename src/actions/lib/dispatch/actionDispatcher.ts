import { setTimeout as wait } from 'node:timers/promises';
import type { ActionsContext } from '../actionsContext.ts';
import type { ClaimedDelivery, Outcome } from '../inbox/actionInbox.ts';
import { runOnChange } from '../runOnChange.ts';
import { type AttemptOptions, createAttempt, defaultMaxPauseMs, lookupRetryMs } from './createAttempt.ts';

/** A lease outlives its attempt by this, so that a slow disk at the end does not give the event away. */
const leaseMarginMs = 60_000;
/** Deliveries in hand for each slot of a handler; the others are looked up or written. */
const deliveriesPerSlot = 8;
/** Pause after a settlement that failed; it doubles. */
const firstSettlePauseMs = 100;

/** Options of {@link createActionDispatcher}. */
export interface ActionDispatcherOptions extends AttemptOptions {
  readonly onSettled: ((delivery: ClaimedDelivery, outcome: Outcome) => void) | undefined;
}

/**
 * Starts dispatch: at least once, each event under a lease, so that one which hangs or fails keeps its own slot and
 * delays nobody else.
 */
export const createActionDispatcher = (context: ActionsContext, options: ActionDispatcherOptions) => {
  const { inbox } = context;
  const { concurrency = 16, timeoutMs = 30_000, pollMs = 1000, backoff = {} } = options;
  const { leaseMs = timeoutMs + leaseMarginMs } = options;
  const longestPauseMs = Math.max(leaseMs, lookupRetryMs, backoff.maxMs ?? defaultMaxPauseMs);
  const stopped = new AbortController();
  const attempt = createAttempt(context, options, stopped.signal);
  const running = new Set<Promise<void>>();
  /** `busy`: slots taken, where a handler runs or may yet. */
  const state = { isStopping: false, mayHaveMore: false, busy: 0 };

  /** Again until the lease is over: the same settlement twice is one, and without it the event would run again. */
  const settle = async (claimed: ClaimedDelivery, outcome: Outcome, endMs: number): Promise<void> => {
    for (let pauseMs = firstSettlePauseMs; ; pauseMs *= 2) {
      try {
        await inbox.settle(claimed, outcome);
        return options.onSettled?.(claimed, outcome);
      } catch (error) {
        pump.fail(error);
        if (performance.now() + pauseMs >= endMs) return;
        await wait(pauseMs, undefined, { signal: stopped.signal, ref: false });
      }
    }
  };
  const handle = async (claimed: ClaimedDelivery, onHandled: () => void): Promise<void> => {
    const endMs = performance.now() + leaseMs;
    try {
      await settle(claimed, await attempt(claimed, onHandled), endMs);
    } catch {
      // The host stops; the lease runs out and the event comes again.
    }
  };
  const start = (claimed: ClaimedDelivery): void => {
    let hasSlot = true;
    state.busy += 1;
    /** Early, so that an audience which does not answer holds up no handler. */
    const leaveSlot = (): void => {
      if (hasSlot) state.busy -= 1;
      hasSlot = false;
      if (state.mayHaveMore) pump.wake();
    };
    const task = handle(claimed, leaveSlot).then(() => {
      running.delete(task);
      leaveSlot();
    });
    running.add(task);
  };
  /** Came too late to begin with: another process, or the next life of this one, has it. Where that fails the lease runs out. */
  const giveBack = (claimed: ClaimedDelivery): Promise<void> => {
    const error = claimed.lastError ?? 'The host stopped before the handler ran.';
    return inbox.settle(claimed, { kind: 'retry', delayMs: 0, error, isUnused: true });
  };
  /** Takes as many as there are free slots. */
  const claimMore = async (): Promise<void> => {
    do {
      const limit = Math.min(concurrency - state.busy, concurrency * deliveriesPerSlot - running.size);
      state.mayHaveMore = true;
      if (limit <= 0) return;
      const claims = await inbox.claim({ limit, leaseMs, horizonMs: longestPauseMs + leaseMarginMs });
      if (state.isStopping) return void (await Promise.allSettled(claims.map(giveBack)));
      claims.forEach(start);
      state.mayHaveMore = claims.length === limit;
    } while (state.mayHaveMore);
  };
  const pump = runOnChange(context, { change: 'appended', pollMs, run: claimMore });

  return {
    /** Takes no more, waits so long for what runs, then fires its signals and gives the rest back. */
    async stop(graceMs: number): Promise<void> {
      state.isStopping = true;
      const graceOver = Promise.withResolvers<void>();
      const grace = setTimeout(() => {
        stopped.abort(new Error('The host is stopping.'));
        graceOver.resolve();
      }, graceMs);
      // What is being claimed at this moment is to be given back before the inbox closes.
      await Promise.race([pump.stop(), graceOver.promise]);
      while (running.size > 0) await Promise.allSettled(running);
      clearTimeout(grace);
    },
  };
};
