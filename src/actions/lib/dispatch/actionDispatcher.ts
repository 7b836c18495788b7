import { setTimeout as wait } from 'node:timers/promises';
import {
  checkChoice,
  checkNumbers,
  checkOptions,
  fail,
  longestTimerMs,
  type NumberRanges,
  type OptionNames,
} from '@vitrine/server/internal';
import type { ActionEvent } from '../actionEvent.ts';
import type { OnDiagnostic } from '../diagnostics.ts';
import type { ActionInbox, ClaimedDelivery, Outcome } from '../inbox/actionInbox.ts';
import type { MessageOf } from '../messageOf.ts';
import { type BackoffOptions, longestBackoffMs } from './backoff.ts';
import { createAttempt, lookupRetryMs } from './createAttempt.ts';
import type { Publisher } from './publisher.ts';
import type { ActionRoute } from './routes.ts';

/** How deliveries are handed to handlers. */
export interface DispatchOptions {
  /** Handlers running at once in this process. Default: 16. */
  readonly concurrency?: number;
  /** Time of one attempt, in milliseconds; then its signal fires and the attempt counts as failed. Default: 30 seconds. */
  readonly timeoutMs?: number;
  /**
   * How long an event belongs to the process that took it, in milliseconds; after that another takes it over. Must outlast
   * an attempt, the questions after it and the writing of its result. Default: `timeoutMs` and a minute.
   */
  readonly leaseMs?: number;
  /** Attempts before an event is dead. Default: 8. */
  readonly maxAttempts?: number;
  /** Pauses between attempts. */
  readonly backoff?: BackoffOptions;
  /** What becomes of flagged duplicates: `deliver` (default) or `skip`. */
  readonly duplicates?: 'deliver' | 'skip';
  /** How often to look for deliveries nobody announced: retries, those of an ended process. Default: 1 second. */
  readonly pollMs?: number;
}

/** Options of {@link createActionDispatcher}. */
export interface ActionDispatcherOptions extends DispatchOptions {
  readonly inbox: ActionInbox;
  /** Handlers; `undefined` when the host has none, and every action is handled by being shown. */
  readonly routes: readonly ActionRoute[] | undefined;
  readonly publisher: Publisher;
  /** Why an event is parked as another tenant's; `undefined` when it is not. */
  readonly foreignReason: (event: ActionEvent) => string | undefined;
  readonly onDiagnostic: OnDiagnostic;
  /** How long after its arrival an event is shown, in milliseconds. */
  readonly showForMs: number;
  /** The present moment in milliseconds since 1970. */
  readonly now: () => number;
  /** How what a handler throws is stored. */
  readonly messageOf: MessageOf;
  /** A random number in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
}

/** Hands stored deliveries to their handlers. */
export interface ActionDispatcher {
  /** Takes no more, waits so long for what runs, then fires its signals and gives the rest back. */
  stop(graceMs: number): Promise<void>;
}

const optionNames: OptionNames<ActionDispatcherOptions> = {
  concurrency: true,
  timeoutMs: true,
  leaseMs: true,
  maxAttempts: true,
  backoff: true,
  duplicates: true,
  pollMs: true,
  inbox: true,
  routes: true,
  publisher: true,
  foreignReason: true,
  messageOf: true,
  showForMs: true,
  now: true,
  onDiagnostic: true,
  random: true,
};
const backoffNames: OptionNames<BackoffOptions> = { firstMs: true, maxMs: true };
const ranges: NumberRanges<DispatchOptions> = {
  concurrency: [1, 1_000_000],
  timeoutMs: [1, longestTimerMs],
  leaseMs: [1, longestTimerMs],
  maxAttempts: [1, 1_000_000],
  pollMs: [1, longestTimerMs],
};
const backoffRanges: NumberRanges<BackoffOptions> = {
  firstMs: [0, longestTimerMs],
  maxMs: [0, longestTimerMs],
};

/** A lease outlives its attempt by this, so that a slow disk at the end does not give the event away. */
const leaseMarginMs = 60_000;
/** Pause after a settlement that failed; it doubles. */
const firstSettlePauseMs = 100;

/** A lease that ends before its attempt hands the event out while its handler still runs. */
const checkLease = (leaseMs: number, timeoutMs: number): void => {
  if (leaseMs > timeoutMs) return;
  fail(
    'invalid_action_option',
    `Option "leaseMs" of the dispatch of actions is ${leaseMs}, and one attempt may take ${timeoutMs} ("timeoutMs"): its event would be handed out a second time while it runs. Make leaseMs longer than timeoutMs, by a minute for instance.`,
  );
};

/**
 * Starts dispatch: at least once, each event under a lease, so that one which hangs or fails keeps its own slot and
 * delays nobody else.
 *
 * @throws VitrineOptionsError: `missing_options`, `unknown_option`, `invalid_action_option`.
 */
export const createActionDispatcher = (options: ActionDispatcherOptions): ActionDispatcher => {
  checkOptions('The dispatch of actions', options, optionNames);
  checkNumbers('the dispatch of actions', options, ranges);
  checkChoice('duplicates', options.duplicates, ['deliver', 'skip']);
  checkOptions('backoff', options.backoff ?? {}, backoffNames);
  checkNumbers('backoff', options.backoff ?? {}, backoffRanges);
  const { inbox, onDiagnostic, concurrency = 16, timeoutMs = 30_000, pollMs = 1000, backoff = {} } = options;
  const leaseMs = options.leaseMs ?? timeoutMs + leaseMarginMs;
  checkLease(leaseMs, timeoutMs);
  const horizonMs = Math.max(leaseMs, lookupRetryMs, longestBackoffMs(backoff)) + leaseMarginMs;
  const stopped = new AbortController();
  const attempt = createAttempt(options, stopped.signal);
  const running = new Set<Promise<void>>();
  const state = { isStopping: false, hasFailed: false };
  let claiming: Promise<void> | undefined;
  let mayHaveMore = true;

  const reportFailure = (error: unknown): void => {
    state.hasFailed = true;
    onDiagnostic({ kind: 'inbox-failed', error });
  };
  const reportSuccess = (): void => {
    if (state.hasFailed) onDiagnostic({ kind: 'inbox', diagnostic: { kind: 'recovered', imported: 0 } });
    state.hasFailed = false;
  };

  /** Again until the lease is over: the same settlement twice is one, and without it the event would run again. */
  const settle = async (claimed: ClaimedDelivery, outcome: Outcome, endMs: number): Promise<void> => {
    for (let pauseMs = firstSettlePauseMs; ; pauseMs *= 2) {
      try {
        return await inbox.settle(claimed, outcome);
      } catch (error) {
        reportFailure(error);
        if (performance.now() + pauseMs >= endMs) return;
        await wait(pauseMs, undefined, { signal: stopped.signal, ref: false });
      }
    }
  };

  const handle = async (claimed: ClaimedDelivery): Promise<void> => {
    const endMs = performance.now() + leaseMs;
    try {
      await settle(claimed, await attempt(claimed), endMs);
    } catch (error) {
      // The lease runs out and the event comes again.
      if (!stopped.signal.aborted) reportFailure(error);
    }
  };

  const start = (claimed: ClaimedDelivery): void => {
    const task = handle(claimed).finally(() => {
      running.delete(task);
      if (mayHaveMore) fill();
    });
    running.add(task);
  };

  /** Came too late to begin with: another process, or the next life of this one, has them. */
  const giveBack = async (claims: readonly ClaimedDelivery[]): Promise<void> => {
    const given = claims.map((claimed) => {
      const error = claimed.lastError ?? 'The host stopped before its turn.';
      return inbox.settle(claimed, { kind: 'retry', delayMs: 0, error, isUnused: true });
    });
    // Where that fails the lease runs out.
    await Promise.allSettled(given);
  };

  const claimMore = async (): Promise<void> => {
    try {
      while (!state.isStopping && running.size < concurrency) {
        const limit = concurrency - running.size;
        mayHaveMore = false;
        const claims = await inbox.claim({ limit, leaseMs, horizonMs });
        reportSuccess();
        if (state.isStopping) return await giveBack(claims);
        claims.forEach(start);
        mayHaveMore ||= claims.length === limit;
        if (!mayHaveMore) break;
      }
    } catch (error) {
      reportFailure(error);
    }
  };

  const fill = (): void => {
    if (claiming || state.isStopping) return;
    claiming = claimMore().finally(() => (claiming = undefined));
  };

  const wake = (): void => {
    mayHaveMore = true;
    fill();
  };
  const unwatch = inbox.watch((change) => {
    if (change === 'appended') wake();
  });
  const poll = setInterval(wake, pollMs);
  poll.unref();
  wake();

  return {
    async stop(graceMs) {
      state.isStopping = true;
      clearInterval(poll);
      unwatch();
      const graceOver = Promise.withResolvers<void>();
      const grace = setTimeout(() => {
        stopped.abort(new Error('The host is stopping.'));
        graceOver.resolve();
      }, graceMs);
      // What is being claimed at this moment is to be given back before the inbox closes.
      await Promise.race([claiming, graceOver.promise]);
      while (running.size > 0) await Promise.allSettled(running);
      clearTimeout(grace);
    },
  };
};
