import type { ActionEvent } from '../actionEvent.ts';
import type { ActionReply, ClaimedDelivery, Outcome } from '../inbox/actionInbox.ts';
import { parseAction } from '../parse/parseAction.ts';
import type { ActionDispatcherOptions } from './actionDispatcher.ts';
import { backoffMs, longestBackoffMs } from './backoff.ts';
import { findRoute, needsItemId } from './routes.ts';
import { type Effects, runHandler, UnusableRows } from './runHandler.ts';

/** Longest pause before a look-up that failed is tried again, in milliseconds. */
export const lookupRetryMs = 10_000;
const maxReported = 1000;
/** Begins the last error of a delivery that has been handled and not yet shown. */
const notYetShown = 'Could not find out who may see the action: ';
/** Under this key the reply of a handler waits until it can be shown. */
const replyKey = '\0reply';

const isWaitingToBeShown = ({ lastError }: ClaimedDelivery): boolean =>
  lastError?.startsWith(notYetShown) ?? false;

/** What viewers are shown. */
interface Showing {
  readonly claimed: ClaimedDelivery;
  readonly event: ActionEvent;
  readonly reply?: ActionReply | undefined;
}

/** Outcomes after which viewers are shown the event. */
type Shown = Extract<Outcome, { readonly publish?: unknown }>;

/** Makes one attempt at a delivery: what it is, who handles it, who is shown it. `stopped` fires when the host stops. */
export const createAttempt = (
  options: ActionDispatcherOptions,
  stopped: AbortSignal,
): ((claimed: ClaimedDelivery) => Promise<Outcome>) => {
  const { inbox, routes, publisher, onDiagnostic, messageOf, random = Math.random } = options;
  const { timeoutMs = 30_000, maxAttempts = 8, backoff = {} } = options;
  const effects: Effects = { running: new Map(), unnoted: new Map() };
  const unrouted = new Set<string>();

  const park = ({ id: deliveryId }: ClaimedDelivery, reason: string): Outcome => {
    onDiagnostic({ kind: 'parked', deliveryId, reason });
    return { kind: 'parked', error: reason };
  };
  const lookUpLater = (error: string): Outcome => {
    const delayMs = Math.min(lookupRetryMs, longestBackoffMs(backoff));
    return { kind: 'retry', delayMs, error, isUnused: true };
  };
  /** Ends an attempt with who is shown the event. Where that cannot be found out, only this is tried again. */
  const show = async ({ claimed, event, reply }: Showing, outcome: Shown): Promise<Outcome> => {
    try {
      return { ...(await publisher.publish(event, reply)), ...outcome };
    } catch (error) {
      const { id: deliveryId } = claimed;
      if (!isWaitingToBeShown(claimed)) onDiagnostic({ kind: 'audience-failed', deliveryId, error });
      const isTooLate = options.now() - event.receivedAtMs > options.showForMs;
      if (outcome.kind === 'dead' || isTooLate)
        return { error: `Nobody was shown it: ${messageOf(error)}`, ...outcome };
      if (reply !== undefined) await inbox.noteEffect(deliveryId, { key: replyKey, value: reply });
      return lookUpLater(notYetShown + messageOf(error));
    }
  };
  const giveUp = async (claimed: ClaimedDelivery, event: ActionEvent, error: unknown): Promise<Outcome> => {
    const attempts = Math.min(claimed.attempts, maxAttempts);
    onDiagnostic({ kind: 'dead', deliveryId: claimed.id, attempts, error });
    return show({ claimed, event }, { kind: 'dead', error: messageOf(error) });
  };
  const leaveUnrouted = async (claimed: ClaimedDelivery, event: ActionEvent): Promise<Outcome> => {
    const { id: deliveryId, reportId } = event;
    if (unrouted.size >= maxReported) unrouted.clear();
    if (!unrouted.has(reportId)) onDiagnostic({ kind: 'unrouted', deliveryId, reportId });
    unrouted.add(reportId);
    const error = `No handler takes the actions of report ${reportId}.`;
    return show({ claimed, event }, { kind: 'unrouted', error });
  };

  const attempt = async (claimed: ClaimedDelivery): Promise<Outcome> => {
    const parsed = parseAction(claimed);
    if (!parsed.isOk) return park(claimed, parsed.reason);
    const { event } = parsed;
    const foreign = options.foreignReason(event);
    if (foreign !== undefined) return park(claimed, foreign);
    if (claimed.duplicateOf !== undefined && options.duplicates === 'skip') return { kind: 'done' };
    if (routes === undefined) return show({ claimed, event }, { kind: 'done' });
    let itemId: number | undefined;
    try {
      if (needsItemId(routes)) itemId = await publisher.itemIdOf(event);
    } catch (error) {
      onDiagnostic({ kind: 'lookup-failed', deliveryId: claimed.id, error });
      return lookUpLater(messageOf(error));
    }
    const route = findRoute(routes, event, itemId);
    if (route === undefined) return leaveUnrouted(claimed, event);
    // An attempt that ended with its process is counted, so an event that kills it cannot do so for ever.
    if (claimed.attempts > maxAttempts)
      return giveUp(
        claimed,
        event,
        new Error('Its attempts ended without a result, as when the process is killed.'),
      );
    const { id: deliveryId, attempts } = claimed;
    const onReplyProblem = (problem: string) => onDiagnostic({ kind: 'reply-ignored', deliveryId, problem });
    try {
      const replied = isWaitingToBeShown(claimed)
        ? await inbox.effect(claimed.id, replyKey)
        : {
            value: await runHandler({
              inbox,
              route,
              claimed,
              event,
              stopped,
              timeoutMs,
              effects,
              onReplyProblem,
            }),
          };
      // It was noted as this handler returned it.
      const reply = replied?.value as ActionReply | undefined;
      return await show({ claimed, event, reply }, { kind: 'done' });
    } catch (error) {
      if (stopped.aborted) return { kind: 'retry', delayMs: 0, error: 'The host stopped.' };
      if (error instanceof UnusableRows) return park(claimed, messageOf(error));
      if (claimed.attempts >= maxAttempts) return giveUp(claimed, event, error);
      const retryInMs = backoffMs(attempts, backoff, random);
      onDiagnostic({ kind: 'handler-failed', deliveryId, attempt: attempts, retryInMs, error });
      return { kind: 'retry', delayMs: retryInMs, error: messageOf(error) };
    }
  };

  return async (claimed) => {
    try {
      return await attempt(claimed);
    } catch (error) {
      // Tried again, it would fail in the same way, for ever.
      return park(claimed, messageOf(error));
    }
  };
};
