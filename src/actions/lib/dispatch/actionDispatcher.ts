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
import { parseAction } from '../parse/parseAction.ts';
import { type BackoffOptions, backoffMs, longestBackoffMs } from './backoff.ts';
import type { Publisher } from './publisher.ts';
import { type ActionRoute, findRoute, needsItemId } from './routes.ts';
import { type Effects, runHandler, UnusableRows } from './runHandler.ts';

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
  readonly onDiagnostic: OnDiagnostic;
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
/** Pause before an event is tried again whose report could not be found out. */
const lookupRetryMs = 10_000;
const maxReported = 1000;

/** A lease that ends before its attempt hands the event out while its handler still runs. */
const checkLease = (leaseMs: number, timeoutMs: number): void => {
  if (leaseMs > timeoutMs) return;
  fail(
    'invalid_action_option',
    `Option "leaseMs" of the dispatch of actions is ${leaseMs}, and one attempt may take ${timeoutMs} ("timeoutMs"): its event would be handed out a second time while it runs. Make leaseMs longer than timeoutMs, by a minute for instance.`,
  );
};

/** Anything can be thrown, and nothing of it may cost the deliveries that are settled beside this one. */
const messageOf = (error: unknown): string => {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'The handler threw something that cannot be written as text.';
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
  const { inbox, routes, publisher, onDiagnostic, random = Math.random } = options;
  const { concurrency = 16, timeoutMs = 30_000, maxAttempts = 8, pollMs = 1000, backoff = {} } = options;
  const leaseMs = options.leaseMs ?? timeoutMs + leaseMarginMs;
  checkLease(leaseMs, timeoutMs);
  const horizonMs = Math.max(leaseMs, lookupRetryMs, longestBackoffMs(backoff)) + leaseMarginMs;
  const stopped = new AbortController();
  const running = new Set<Promise<void>>();
  const state = { isStopping: false };
  const effects: Effects = { running: new Map(), unnoted: new Map() };
  const unrouted = new Set<string>();
  let claiming: Promise<void> | undefined;
  let mayHaveMore = true;

  const reportUnrouted = ({ id, reportId }: ActionEvent): void => {
    if (unrouted.has(reportId)) return;
    if (unrouted.size >= maxReported) unrouted.clear();
    unrouted.add(reportId);
    onDiagnostic({ kind: 'unrouted', deliveryId: id, reportId });
  };

  const giveUp = async (claimed: ClaimedDelivery, event: ActionEvent, error: unknown): Promise<Outcome> => {
    const attempts = Math.min(claimed.attempts, maxAttempts);
    onDiagnostic({ kind: 'dead', deliveryId: claimed.id, attempts, error });
    return { kind: 'dead', error: messageOf(error), publish: await publisher.publish(event, undefined) };
  };

  const runRoute = async (
    claimed: ClaimedDelivery,
    event: ActionEvent,
    route: ActionRoute,
  ): Promise<Outcome> => {
    // An attempt that ended with its process is counted, so an event that kills it cannot do so for ever.
    if (claimed.attempts > maxAttempts)
      return giveUp(
        claimed,
        event,
        new Error('Its attempts ended without a result, as when the process is killed.'),
      );
    try {
      const reply = await runHandler({
        inbox,
        route,
        claimed,
        event,
        stopped: stopped.signal,
        timeoutMs,
        effects,
      });
      return { kind: 'done', publish: await publisher.publish(event, reply) };
    } catch (error) {
      if (stopped.signal.aborted) return { kind: 'retry', delayMs: 0, error: 'The host stopped.' };
      if (error instanceof UnusableRows) {
        onDiagnostic({ kind: 'parked', deliveryId: claimed.id, reason: error.message });
        return { kind: 'parked', error: error.message };
      }
      if (claimed.attempts >= maxAttempts) return giveUp(claimed, event, error);
      const retryInMs = backoffMs(claimed.attempts, backoff, random);
      const { id: deliveryId, attempts } = claimed;
      onDiagnostic({ kind: 'handler-failed', deliveryId, attempt: attempts, retryInMs, error });
      return { kind: 'retry', delayMs: retryInMs, error: messageOf(error) };
    }
  };

  const attempt = async (claimed: ClaimedDelivery): Promise<Outcome> => {
    const parsed = parseAction(claimed);
    if (!parsed.isOk) {
      onDiagnostic({ kind: 'parked', deliveryId: claimed.id, reason: parsed.reason });
      return { kind: 'parked', error: parsed.reason };
    }
    const { event } = parsed;
    if (claimed.duplicateOf !== undefined && options.duplicates === 'skip') return { kind: 'done' };
    if (routes === undefined) return { kind: 'done', publish: await publisher.publish(event, undefined) };
    let itemId: number | undefined;
    try {
      if (needsItemId(routes)) itemId = await publisher.itemIdOf(event);
    } catch (error) {
      const { id: deliveryId, attempts } = claimed;
      onDiagnostic({
        kind: 'handler-failed',
        deliveryId,
        attempt: attempts,
        retryInMs: lookupRetryMs,
        error,
      });
      return { kind: 'retry', delayMs: lookupRetryMs, error: messageOf(error), isUnused: true };
    }
    const route = findRoute(routes, event, itemId);
    if (route) return runRoute(claimed, event, route);
    reportUnrouted(event);
    const error = `No handler takes the actions of report ${event.reportId}.`;
    return { kind: 'unrouted', error, publish: await publisher.publish(event, undefined) };
  };

  const handle = async (claimed: ClaimedDelivery): Promise<void> => {
    try {
      await inbox.settle(claimed, await attempt(claimed));
    } catch (error) {
      // The lease runs out and the event comes again.
      onDiagnostic({ kind: 'inbox-failed', error });
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
        if (state.isStopping) return await giveBack(claims);
        claims.forEach(start);
        mayHaveMore ||= claims.length === limit;
        if (!mayHaveMore) break;
      }
    } catch (error) {
      onDiagnostic({ kind: 'inbox-failed', error });
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
