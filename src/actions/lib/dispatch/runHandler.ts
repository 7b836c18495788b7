import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ActionEvent } from '../actionEvent.ts';
import { askWithin } from '../askWithin.ts';
import type { ActionReply, ClaimedDelivery } from '../inbox/actionInbox.ts';
import { checkReply } from './checkReply.ts';
import type { createEffects } from './effects.ts';
import type { ActionRoute } from './routes.ts';

/** Says that another attempt would fail the same way, so the event is parked. */
export class UnusableRows extends Error {
  override readonly name = 'UnusableRows';
}

const validate = async (event: ActionEvent, schema: StandardSchemaV1): Promise<ActionEvent> => {
  const flatRows: unknown[] = [];
  for (const [index, row] of event.flatRows.entries()) {
    const result = await schema['~standard'].validate(row);
    const reason = result.issues && (result.issues[0]?.message ?? 'no reason given');
    if (reason !== undefined)
      throw new UnusableRows(`Row ${index} does not match the handler's schema: ${reason}.`);
    if (!result.issues) flatRows.push(result.value);
  }
  // The schema's output type is what the handler was declared with (see `on`).
  return { ...event, flatRows: flatRows as ActionEvent['flatRows'] };
};

/** Everything one attempt needs. */
export interface HandlerRun {
  readonly route: ActionRoute;
  readonly claimed: ClaimedDelivery;
  readonly event: ActionEvent;
  readonly onceFor: ReturnType<typeof createEffects>;
  readonly timeoutMs: number;
  /** Fires when the host stops. */
  readonly stopped: AbortSignal;
  /** Hears of a part of the return value that viewers do not get. */
  readonly onReplyProblem: (problem: string) => void;
}

/** Runs a handler once. Rejects when it fails, when its time is up, and with {@link UnusableRows}. */
export const runHandler = async (run: HandlerRun): Promise<ActionReply | undefined> => {
  const { route, claimed, event, onceFor, onReplyProblem, ...limit } = run;
  const { id: eventId, attempts: attempt } = claimed;
  const { schema } = route.match;
  const reply = await askWithin({ what: 'The handler', ...limit }, async (signal) => {
    const checked = schema ? await validate(event, schema) : event;
    signal.throwIfAborted();
    return route.handler(checked, { eventId, attempt, signal, once: onceFor(eventId, signal) });
  });
  return checkReply(reply, onReplyProblem);
};
