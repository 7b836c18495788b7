import { setTimeout as wait } from 'node:timers/promises';
import type { ActionsContext } from '../actionsContext.ts';
import type { ClaimedDelivery, Outcome } from '../inbox/actionInbox.ts';
import { runOnChange } from '../runOnChange.ts';
import { type AttemptOptions, createAttempt, defaultMaxPauseMs, lookupRetryMs } from './createAttempt.ts';
import { createEffects } from './createEffects.ts';

/** A lease outlasts its attempt by this margin, so that a slow disk at the end does not lose the lease. */
const leaseMarginMs = 60_000;
/** Claimed deliveries per handler slot: while one runs, others are looked up or written. */
const deliveriesPerSlot = 8;
/** Pause after a settlement that failed; it doubles. */
const firstSettlePauseMs = 100;

/** Options of {@link createActionDispatcher}. */
export interface ActionDispatcherOptions extends AttemptOptions {
  readonly onSettled: ((delivery: ClaimedDelivery, outcome: Outcome) => void) | undefined;
}

/**
 * Starts dispatch: at least once, each event under a lease, so that a hanging or failing event only blocks its own
 * slot.
 */
export const createActionDispatcher = (context: ActionsContext, options: ActionDispatcherOptions) => {
  const { inbox } = context;
  const { concurrency = 16, timeoutMs = 30_000, pollMs = 1000, backoff = {} } = options;
  const { leaseMs = timeoutMs + leaseMarginMs } = options;
  const longestPauseMs = Math.max(leaseMs, lookupRetryMs, backoff.maxMs ?? defaultMaxPauseMs);
  const stopped = new AbortController();
  const effects = createEffects(inbox);
  const attempt = createAttempt(context, options, { onceFor: effects.onceFor, stopped: stopped.signal });
  const running = new Set<Promise<void>>();
  /** `busy`: slots in use, where a handler runs or may still start. */
  const state = { isStopping: false, mayHaveMore: false, busy: 0 };

  /** Retries until the lease expires: settling is idempotent, and without it the event would run again. */
  const settle = async (claimed: ClaimedDelivery, outcome: Outcome, endMs: number): Promise<void> => {
    for (let pauseMs = firstSettlePauseMs; ; pauseMs *= 2) {
      try {
        await effects.storeLate(claimed.id);
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
      // The host stops: the lease expires and the event is dispatched again.
    }
  };
  const start = (claimed: ClaimedDelivery): void => {
    let hasSlot = true;
    state.busy += 1;
    /** Leaves early, so that a slow audience lookup does not block handlers. */
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
  /**
   * Releases an event that was claimed too late, for another process or the next start. If that fails, the lease
   * expires.
   */
  const giveBack = (claimed: ClaimedDelivery): Promise<void> => {
    const error = claimed.lastError ?? 'The host stopped before the handler ran.';
    return inbox.settle(claimed, { kind: 'retry', delayMs: 0, error, isUnused: true });
  };
  /** Claims as many events as there are free slots. */
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
    /** Stops claiming, waits `graceMs` for running handlers, then fires their signals and releases the rest. */
    async stop(graceMs: number): Promise<void> {
      state.isStopping = true;
      const graceOver = Promise.withResolvers<void>();
      const grace = setTimeout(() => {
        stopped.abort(new Error('The host is stopping.'));
        graceOver.resolve();
      }, graceMs);
      // Release events of a claim in flight before the inbox closes.
      await Promise.race([pump.stop(), graceOver.promise]);
      while (running.size > 0) await Promise.allSettled(running);
      clearTimeout(grace);
    },
  };
};
