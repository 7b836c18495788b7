import { setTimeout as wait } from 'node:timers/promises';
import { inTime } from '../hostCalls.ts';
import { createSlots } from '../slots.ts';
import type { createPublisher } from './audience.ts';
import { type ActionsContext, runOnChange } from './context.ts';
import type { ActionReply, ClaimedDelivery, HandledReply, Outcome } from './inbox.ts';
import type { ActionsOptions } from './options.ts';
import { type ActionEvent, isEmptyBody, parseAction } from './parse.ts';
import { type ActionRoute, findRoute, needsItemId } from './routes.ts';

/** Options of {@link createDispatcher}. */
interface DispatcherOptions extends Pick<ActionsOptions, 'portal' | 'handlerTimeoutMs'> {
  /** Handlers; `undefined` if the host has none and actions only go to viewers. */
  readonly routes: readonly ActionRoute[] | undefined;
  readonly publisher: ReturnType<typeof createPublisher>;
  readonly onSettled: (delivery: ClaimedDelivery, outcome: Outcome) => void;
}

/** Claimed deliveries per handler slot: while one runs, others are looked up or written. */
const deliveriesPerSlot = 8;
/** Largest reply, as JSON, in bytes. */
const maxReplyBytes = 256 * 1024;

/** A handler's return value as plain JSON; undefined if viewers cannot get it. */
const readReply = (given: unknown): ActionReply | undefined => {
  try {
    const json = JSON.stringify(given);
    const reply = JSON.parse(json) as ActionReply; // checked below
    const { message = '', refresh = false } = reply;
    const isReply =
      json.startsWith('{') &&
      typeof message === 'string' &&
      typeof refresh === 'boolean' &&
      Object.keys(reply).every((name) => /^(?:result|message|refresh)$/.test(name));
    return isReply && Buffer.byteLength(json) <= maxReplyBytes ? reply : undefined;
  } catch {
    // Too deep, circular, or not data.
    return undefined;
  }
};

/** How an attempt ended; with an event, its viewers get the action. */
interface Attempt extends HandledReply {
  readonly outcome: Outcome;
  readonly event?: ActionEvent;
}

/**
 * Starts dispatch: at least once, each event under a lease, so that a hanging or failing event only blocks its own
 * slot.
 */
export const createDispatcher = (context: ActionsContext, options: DispatcherOptions) => {
  const { inbox, report, timing } = context;
  const { routes, publisher, portal, handlerTimeoutMs: timeoutMs = 30_000 } = options;
  const { concurrency, maxAttempts, firstRetryMs, maxRetryMs, lookupRetryMs, showForMs, pollMs } = timing;
  const leaseMs = timeoutMs + timing.leaseMarginMs;
  const stopping = new AbortController();
  const stopped = new AbortController();
  // One handler gets at most a quarter, so that one that hangs does not stop the others.
  const slots = createSlots<ActionRoute>(concurrency, [Math.max(2, Math.floor(concurrency / 4))]);
  const running = new Set<Promise<void>>();
  /** `held`: deliveries whose handler runs or may still start. */
  const state = { mayHaveMore: false, held: 0 };

  /** Doubles each time; a random half spreads the retries of failed events. */
  const pauseAfter = (failures: number): number => {
    const full = Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1));
    return Math.round(full / 2 + (full / 2) * Math.random());
  };
  const ageOf = ({ receivedAtMs }: ActionEvent): number => Date.now() - receivedAtMs;
  /** Delays by the event's age, because the viewer of a recent event is still on the page. */
  const later = (event: ActionEvent, error: string, handled?: HandledReply): Outcome => {
    const delayMs = Math.min(Math.max(firstRetryMs, ageOf(event)), lookupRetryMs);
    return { kind: 'retry', delayMs, error, isUnused: true, handled };
  };
  const giveUp = (deliveryId: string, attempts: number, error: unknown): Outcome => {
    const message = `Action ${deliveryId} failed ${attempts} times and is a dead letter`;
    const advice = `Fix the handler, then run \`vitrine actions replay ${deliveryId}\`.`;
    return { kind: 'dead', error: report({ kind: 'dead', deliveryId, message, error, advice }) };
  };
  /** Rejects if the handler fails or times out. */
  const runHandler = async ({ handler }: ActionRoute, event: ActionEvent, attempt: number) => {
    const { id: deliveryId } = event;
    const ending = new AbortController();
    const signal = AbortSignal.any([stopped.signal, ending.signal]);
    const late = () => {
      ending.abort(new Error(`The handler took longer than ${timeoutMs} ms.`));
      return signal.reason;
    };
    const handling = (async () => handler(event, { eventId: deliveryId, attempt, signal }))();
    const returned: unknown = await inTime(handling, late, timeoutMs, stopped.signal);
    if (returned === undefined || returned === null) return undefined;
    const reply = readReply(returned);
    if (reply === undefined) {
      const message = `The handler's reply to action ${deliveryId} is not delivered. Return nothing, or { result, message, refresh }: JSON, a text and a boolean, at most 256 KiB together.`;
      report({ kind: 'not-shown', deliveryId, message });
    }
    return reply;
  };

  const attemptRoute = async (
    route: ActionRoute,
    event: ActionEvent,
    { attempts, lastError = 'It waits for its handler.' }: ClaimedDelivery,
  ): Promise<Attempt> => {
    const { id: deliveryId } = event;
    const isFree = await slots.enter([route], pollMs, stopping.signal);
    const delayMs = stopping.signal.aborted ? 0 : 5 * pollMs;
    if (!isFree) return { outcome: { kind: 'retry', delayMs, error: lastError, isUnused: true } };
    try {
      return { event, outcome: { kind: 'done' }, reply: await runHandler(route, event, attempts) };
    } catch (error) {
      if (stopped.signal.aborted) return { outcome: { kind: 'retry', error: 'The host stopped.' } };
      if (attempts >= maxAttempts) return { event, outcome: giveUp(deliveryId, attempts, error) };
      const retryMs = pauseAfter(attempts);
      const message = `The handler of action ${deliveryId} failed in attempt ${attempts} (next in ${retryMs} ms)`;
      const reason = report({ kind: 'handler-failed', deliveryId, message, error });
      return { outcome: { kind: 'retry', delayMs: retryMs, error: reason } };
    } finally {
      slots.leave([route]);
    }
  };
  /** Makes one attempt at a delivery, up to the end of its handler. Rejects with the reason if it cannot be used. */
  const attempt = async (claimed: ClaimedDelivery): Promise<Attempt> => {
    const { id: deliveryId, raw, attempts, handled } = claimed;
    // Attempts that ended with their process count too, and before the body is read: neither it nor its handler may end
    // the process again and again.
    if (attempts > maxAttempts) {
      const error = 'Its attempts ended without a result, for example because the process was killed.';
      return { outcome: giveUp(deliveryId, maxAttempts, error) };
    }
    if (isEmptyBody(raw))
      return { outcome: { kind: 'done', error: 'The body is empty: a probe, not a click.' } };
    const parsed = parseAction(claimed);
    if (!parsed.isOk) throw new Error(parsed.reason);
    const { event } = parsed;
    // `currentUser` is an ID in the sending tenant, and may be another person here.
    if (portal && event.tenancyName.toLowerCase() !== portal.tenancyName.toLowerCase())
      throw new Error(
        `It comes from the tenant ${JSON.stringify(event.tenancyName).slice(0, 80)}; \`portal\` of createActions() names "${portal.tenancyName}".`,
      );
    if (routes === undefined || handled) return { event, outcome: { kind: 'done' }, ...handled };
    let itemId: number | undefined;
    try {
      if (needsItemId(routes)) itemId = await publisher.itemIdOf(event);
    } catch (error) {
      const message = `Could not look up the item of action ${deliveryId}; retrying within 10 seconds`;
      return { outcome: later(event, report({ kind: 'handler-failed', deliveryId, message, error })) };
    }
    const route = findRoute(routes, event, itemId);
    if (route) return attemptRoute(route, event, claimed);
    const { reportId } = event;
    const error = `There is no handler for actions of report ${reportId}.`;
    // During a deployment, another process may have one.
    if (ageOf(event) <= showForMs) return { event, outcome: later(event, error) };
    const message = `${error} First: action ${deliveryId}. Add one, or "*" for the rest, then run \`vitrine actions replay --state unrouted\`.`;
    report({ kind: 'unrouted', deliveryId, message }, reportId);
    return { event, outcome: { kind: 'unrouted', error } };
  };

  /** Adds the viewers of an event to its outcome. If that fails, only this step is retried. */
  const show = async ({ event, outcome, reply }: Attempt, isShown: boolean): Promise<Outcome> => {
    if (event === undefined || (isShown && reply === undefined)) return outcome;
    const { id: deliveryId } = event;
    try {
      return { ...(await publisher.publish(event, reply)), ...outcome };
    } catch (error) {
      const message = `Could not determine who may see action ${deliveryId}, so it is not delivered yet`;
      const reason = report({ kind: 'not-shown', deliveryId, message, error }, `action ${deliveryId}`);
      if (outcome.kind === 'retry') return outcome;
      if (outcome.kind === 'dead' || ageOf(event) > showForMs)
        return { error: `It was not delivered: ${reason}`, ...outcome };
      return later(event, `Could not determine who may see the action: ${reason}`, { reply });
    }
  };
  /** Retries until the lease expires: settling is idempotent, and without it the event would run again. */
  const settle = async (claimed: ClaimedDelivery, outcome: Outcome, endMs: number): Promise<void> => {
    try {
      await inbox.settle(claimed, outcome);
      options.onSettled(claimed, outcome);
    } catch (error) {
      pump.fail(error);
      await wait(pollMs, undefined, { signal: stopped.signal, ref: false });
      if (performance.now() < endMs) await settle(claimed, outcome, endMs);
    }
  };
  const handle = async (claimed: ClaimedDelivery): Promise<void> => {
    const { id: deliveryId } = claimed;
    const endMs = performance.now() + leaseMs;
    let outcome: Outcome;
    state.held += 1;
    try {
      const made = await attempt(claimed).finally(() => {
        state.held -= 1;
        // Early, so that a slow audience lookup does not block handlers.
        if (state.mayHaveMore) void pump.wake();
      });
      outcome = await show(made, claimed.isShown);
    } catch (error) {
      // A retry would fail in the same way: park it for an operator.
      const message = `Action ${deliveryId} is parked`;
      const advice = `See \`vitrine actions list ${deliveryId}\`.`;
      outcome = { kind: 'parked', error: report({ kind: 'parked', deliveryId, message, error, advice }) };
    }
    // It rejects when the host stops: the lease expires and the event is dispatched again.
    await settle(claimed, outcome, endMs).catch(() => undefined);
  };
  /** Claims as many events as there are free slots. */
  const claimMore = async (): Promise<void> => {
    do {
      const limit = Math.min(concurrency - state.held, concurrency * deliveriesPerSlot - running.size);
      state.mayHaveMore = true;
      if (limit <= 0 || stopping.signal.aborted) return;
      const claims = await inbox.claim({ limit, leaseMs });
      // Those that come after the host has begun to stop are given back: no slot lets them in.
      for (const claimed of claims) {
        const task = handle(claimed).finally(() => {
          running.delete(task);
          if (state.mayHaveMore) void pump.wake();
        });
        running.add(task);
      }
      state.mayHaveMore = claims.length === limit;
    } while (state.mayHaveMore);
  };
  const pump = runOnChange(context, 'appended', claimMore);

  return {
    /** Stops claiming, waits `graceMs` for running handlers, then fires their signals and releases the rest. */
    async stop(graceMs: number): Promise<void> {
      stopping.abort();
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
