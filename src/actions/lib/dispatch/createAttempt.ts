import type { PortalConnectionInput } from '@vitrine/portal-client';
import type { ActionEvent } from '../actionEvent.ts';
import type { ActionsContext } from '../actionsContext.ts';
import type { DispatchOptions } from '../actionsOptions.ts';
import type { ActionReply, ClaimedDelivery, Outcome } from '../inbox/actionInbox.ts';
import { parseAction } from '../parse/parseAction.ts';
import { withTimeout } from '../withTimeout.ts';
import { checkReply } from './checkReply.ts';
import type { createEffects } from './createEffects.ts';
import type { createPublisher } from './createPublisher.ts';
import { foreignReason } from './foreignReason.ts';
import { type ActionRoute, findRoute, needsItemId } from './routes.ts';
import { UnusableRows, validateRows } from './validateRows.ts';

/** Maximum delay before a failed lookup is retried, in milliseconds. */
export const lookupRetryMs = 10_000;
/** Default maximum delay between attempts, in milliseconds. */
export const defaultMaxPauseMs = 600_000;
/** Prefix of the last error of a delivery that was handled but not yet delivered to viewers. */
const notYetShown = 'Could not determine who may see the action: ';
const killed = 'Its attempts ended without a result, for example because the process was killed.';
/** Effect key under which a handler's reply waits until it can be delivered. */
const replyKey = '\0reply';

/** Options of {@link createAttempt}. */
export interface AttemptOptions extends DispatchOptions {
  /** Handlers; `undefined` if the host has none and actions only go to viewers. */
  readonly routes: readonly ActionRoute[] | undefined;
  readonly publisher: ReturnType<typeof createPublisher>;
  /** The tenant whose events are handled; those of others are parked. */
  readonly portal: PortalConnectionInput | undefined;
  /** Maximum age of an event that is delivered to viewers, in milliseconds. */
  readonly showForMs: number;
}

/** A handled delivery, ready for its viewers. */
interface Handled {
  readonly event: ActionEvent;
  readonly outcome: Extract<Outcome, { readonly publish?: unknown }>;
  readonly reply?: ActionReply | undefined;
}

/**
 * Makes one attempt at a delivery: reads it, runs its handler, finds its viewers. `stopped` fires when the host stops;
 * `onHandled` is called when the handler has ended.
 */
export const createAttempt = (
  { inbox, onDiagnostic, messageOf, now, random }: ActionsContext,
  options: AttemptOptions,
  { onceFor, stopped }: Pick<ReturnType<typeof createEffects>, 'onceFor'> & { readonly stopped: AbortSignal },
) => {
  const { routes, publisher, portal, timeoutMs = 30_000, maxAttempts = 8, backoff = {} } = options;
  const { firstMs = 1000, maxMs = defaultMaxPauseMs } = backoff;

  /** Doubles each time; a random half spreads the retries of failed events. */
  const pauseAfter = (failures: number): number => {
    const full = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30));
    return Math.round(full / 2 + (full / 2) * random());
  };
  /** Delays by the event's age, because the viewer of a recent event is still on the page. */
  const lookUpLater = ({ receivedAtMs }: ActionEvent, error: string): Outcome => {
    const ageMs = Math.max(firstMs, now() - receivedAtMs);
    return { kind: 'retry', delayMs: Math.min(ageMs, lookupRetryMs, maxMs), error, isUnused: true };
  };
  /** Finds the viewers of an event. If that fails, only this step is retried, provided that the reply can be stored. */
  const show = async ({ event, outcome, reply }: Handled): Promise<Outcome> => {
    const { id: deliveryId, receivedAtMs } = event;
    try {
      return { ...(await publisher.publish(event, reply)), ...outcome };
    } catch (error) {
      onDiagnostic({ kind: 'audience-failed', deliveryId, error });
      const isTooLate = now() - receivedAtMs > options.showForMs;
      if (outcome.kind === 'dead' || isTooLate)
        return { error: `It was not delivered: ${messageOf(error)}`, ...outcome };
      try {
        if (reply !== undefined) await inbox.noteEffect(deliveryId, { key: replyKey, value: reply });
        return lookUpLater(event, notYetShown + messageOf(error));
      } catch (noteError) {
        return { kind: 'retry', delayMs: firstMs, error: messageOf(noteError) };
      }
    }
  };
  /** Rejects if the handler fails or times out, and with {@link UnusableRows}. */
  const runHandler = async (
    { match: { schema }, handler }: ActionRoute,
    event: ActionEvent,
    attempt: number,
  ): Promise<ActionReply | undefined> => {
    const { id: deliveryId } = event;
    const reply = await withTimeout({ what: 'The handler', timeoutMs, stopped }, async (signal) => {
      // A copy, so that a handler cannot change who gets the event.
      const own = schema ? await validateRows(event, schema) : { ...event };
      signal.throwIfAborted();
      return handler(own, { eventId: deliveryId, attempt, signal, once: onceFor(deliveryId, signal) });
    });
    return checkReply(reply, (problem) => onDiagnostic({ kind: 'reply-ignored', deliveryId, problem }));
  };
  const giveUp = (deliveryId: string, attempts: number, error: unknown) => {
    onDiagnostic({ kind: 'dead', deliveryId, attempts, error });
    return { kind: 'dead', error: messageOf(error) } as const;
  };

  const handle = async (claimed: ClaimedDelivery): Promise<Outcome | Handled> => {
    const { id: deliveryId, attempts, lastError, duplicateOf } = claimed;
    // Attempts that ended with their process count too, and before the body is read: neither it nor its handler may end
    // the process again and again.
    if (attempts > maxAttempts) return giveUp(deliveryId, maxAttempts, new Error(killed));
    const parsed = parseAction(claimed);
    if (!parsed.isOk) throw new Error(parsed.reason);
    const { event } = parsed;
    const foreign = portal && foreignReason(event, portal);
    if (foreign !== undefined) throw new Error(foreign);
    if (duplicateOf !== undefined && options.duplicates === 'skip') return { kind: 'done' };
    if (routes === undefined) return { event, outcome: { kind: 'done' } };
    let itemId: number | undefined;
    try {
      if (needsItemId(routes)) itemId = await publisher.itemIdOf(event);
    } catch (error) {
      onDiagnostic({ kind: 'lookup-failed', deliveryId, error });
      return lookUpLater(event, messageOf(error));
    }
    const route = findRoute(routes, event, itemId);
    if (route === undefined) {
      const { reportId } = event;
      onDiagnostic({ kind: 'unrouted', deliveryId, reportId });
      const error = `There is no handler for actions of report ${reportId}.`;
      return { event, outcome: { kind: 'unrouted', error } };
    }
    try {
      const reply = lastError?.startsWith(notYetShown)
        ? // The stored reply of this handler.
          ((await inbox.effect(deliveryId, replyKey))?.value as ActionReply | undefined)
        : await runHandler(route, event, attempts);
      return { event, outcome: { kind: 'done' }, reply };
    } catch (error) {
      if (stopped.aborted) return { kind: 'retry', delayMs: 0, error: 'The host stopped.' };
      if (error instanceof UnusableRows) throw error;
      if (attempts >= maxAttempts) return { event, outcome: giveUp(deliveryId, attempts, error) };
      const retryInMs = pauseAfter(attempts);
      onDiagnostic({ kind: 'handler-failed', deliveryId, attempt: attempts, retryInMs, error });
      return { kind: 'retry', delayMs: retryInMs, error: messageOf(error) };
    }
  };

  return async (claimed: ClaimedDelivery, onHandled: () => void): Promise<Outcome> => {
    try {
      const handled = await handle(claimed);
      onHandled();
      return 'event' in handled ? await show(handled) : handled;
    } catch (error) {
      // A retry would fail in the same way: park it for an operator.
      const reason = messageOf(error);
      onDiagnostic({ kind: 'parked', deliveryId: claimed.id, reason });
      return { kind: 'parked', error: reason };
    }
  };
};
