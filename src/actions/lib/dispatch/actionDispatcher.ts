import {
  checkChoice,
  checkNumbers,
  checkOptions,
  fail,
  longestTimerMs,
  type NumberRanges,
  type OptionNames,
} from '@vitrine/server/internal';
import type { ActionInbox, ClaimedDelivery, Outcome } from '../inbox/actionInbox.ts';
import type { ReportNews } from '../news.ts';
import { parseAction } from '../parse/parseAction.ts';
import { type BackoffOptions, backoffMs } from './backoff.ts';
import { type ActionRoute, findRoute } from './routes.ts';
import { type RunningEffects, runHandler, UnusableRows } from './runHandler.ts';

/** How deliveries are handed to handlers. */
export interface DispatchOptions {
  /** Handlers running at once in this process. Default: 16. */
  readonly concurrency?: number;
  /** Time of one attempt, in milliseconds; then its signal fires and the attempt counts as failed. Default: 30 seconds. */
  readonly timeoutMs?: number;
  /**
   * How long an event belongs to the process that took it, in milliseconds; after that another takes it over. Must outlast
   * an attempt and the writing of its result, so it is longer than `timeoutMs`. An inbox with leases of its own, such as
   * `postgresInbox`, ignores it, and its own must be longer, too. Default: `timeoutMs` and 30 seconds.
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
  readonly routes: readonly ActionRoute[];
  readonly report: ReportNews;
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
  report: true,
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
const leaseMarginMs = 30_000;

/** A lease that ends before its attempt hands the event out while its handler still runs. */
const checkLease = (leaseMs: number, timeoutMs: number, place: string): void => {
  if (leaseMs > timeoutMs) return;
  fail(
    'invalid_action_option',
    `Option "leaseMs" of ${place} is ${leaseMs}, and one attempt may take ${timeoutMs} ("timeoutMs" of the dispatch): its event would be handed out a second time while it runs. Make leaseMs longer than timeoutMs, by half a minute for instance.`,
  );
};

/** Anything can be thrown, and nothing of it may cost the deliveries that are settled beside this one. */
const messageOf = (error: unknown): string => {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'The handler threw something that is no text.';
  }
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
  const { inbox, routes, report, random = Math.random } = options;
  const { concurrency = 16, timeoutMs = 30_000, maxAttempts = 8, pollMs = 1000 } = options;
  const leaseMs = options.leaseMs ?? timeoutMs + leaseMarginMs;
  checkLease(leaseMs, timeoutMs, 'the dispatch of actions');
  if (inbox.leaseMs !== undefined) checkLease(inbox.leaseMs, timeoutMs, 'the inbox');
  const stopped = new AbortController();
  const running = new Set<Promise<void>>();
  const state = { isStopping: false };
  const effects: RunningEffects = new Map();
  let claiming: Promise<void> | undefined;
  let mayHaveMore = true;

  const attempt = async (claimed: ClaimedDelivery): Promise<Outcome> => {
    const parsed = parseAction(claimed);
    if (!parsed.isOk) {
      report({ kind: 'parked', deliveryId: claimed.id, reason: parsed.reason });
      return { kind: 'parked', error: parsed.reason };
    }
    if (claimed.duplicateOf !== undefined && options.duplicates === 'skip')
      return { kind: 'done', isSilent: true };
    const route = findRoute(routes, parsed.event);
    if (!route) return { kind: 'done' };
    // An attempt that ended with its process is counted, so an event that kills it cannot do so for ever.
    if (claimed.attempts > maxAttempts) {
      const error = new Error('Its attempts ended without a result, as when the process is killed.');
      report({ kind: 'dead', deliveryId: claimed.id, attempts: claimed.attempts - 1, error });
      return { kind: 'dead', error: error.message };
    }
    try {
      const { event } = parsed;
      const reply = await runHandler({
        inbox,
        route,
        claimed,
        event,
        stopped: stopped.signal,
        timeoutMs,
        effects,
      });
      return { kind: 'done', reply };
    } catch (error) {
      if (stopped.signal.aborted) return { kind: 'retry', delayMs: 0, error: 'The host stopped.' };
      if (error instanceof UnusableRows) {
        report({ kind: 'parked', deliveryId: claimed.id, reason: error.message });
        return { kind: 'parked', error: error.message };
      }
      if (claimed.attempts >= maxAttempts) {
        report({ kind: 'dead', deliveryId: claimed.id, attempts: claimed.attempts, error });
        return { kind: 'dead', error: messageOf(error) };
      }
      const delayMs = backoffMs(claimed.attempts, options.backoff ?? {}, random);
      report({
        kind: 'handler-failed',
        deliveryId: claimed.id,
        attempt: claimed.attempts,
        retryInMs: delayMs,
        error,
      });
      return { kind: 'retry', delayMs, error: messageOf(error) };
    }
  };

  const handle = async (claimed: ClaimedDelivery): Promise<void> => {
    try {
      await inbox.settle(claimed, await attempt(claimed));
    } catch (error) {
      // The lease runs out and the event comes again.
      report({ kind: 'inbox-failed', error });
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
        const claims = await inbox.claim({ limit, leaseMs });
        if (state.isStopping) return await giveBack(claims);
        claims.forEach(start);
        mayHaveMore ||= claims.length === limit;
        if (!mayHaveMore) break;
      }
    } catch (error) {
      report({ kind: 'inbox-failed', error });
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
