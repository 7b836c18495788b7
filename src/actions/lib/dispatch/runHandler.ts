import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ActionEvent } from '../actionEvent.ts';
import type { ActionInbox, ActionReply, ClaimedDelivery } from '../inbox/actionInbox.ts';
import { checkReply } from './checkReply.ts';
import type { ActionContext, ActionRoute, Effect } from './routes.ts';

/** Says that another attempt would fail the same way, so the event is parked. */
export class UnusableRows extends Error {
  override readonly name = 'UnusableRows';
}

const validate = async (schema: StandardSchemaV1, rows: readonly unknown[]): Promise<unknown[]> => {
  const values: unknown[] = [];
  for (const [index, row] of rows.entries()) {
    const result = await schema['~standard'].validate(row);
    if (result.issues) {
      const [issue] = result.issues;
      throw new UnusableRows(
        `Row ${index} does not pass the handler's schema: ${issue?.message ?? 'no reason given'}.`,
      );
    }
    values.push(result.value);
  }
  return values;
};

const withSchema = async (event: ActionEvent, schema: StandardSchemaV1): Promise<ActionEvent> => ({
  ...event,
  // The schema's output type is what the handler was declared with (see `on`).
  flatRows: (await validate(schema, event.flatRows)) as ActionEvent['flatRows'],
});

class NotPlainJson extends Error {
  override readonly name = 'NotPlainJson';
}

/** What a handler returns is kept and sent as JSON. A value that cannot be must fail its own event alone. */
const plainJson = <TValue>(
  value: TValue,
  what = 'The handler returned something that cannot be written as JSON.',
): TValue => {
  try {
    // The type of a value that is plain JSON, as it was asked to be, stays the same.
    return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as TValue);
  } catch {
    throw new NotPlainJson(what);
  }
};

/** Effects of this process, by delivery and key. */
export interface Effects {
  /** Those in flight. One may outlast its attempt, whose time was up. */
  readonly running: Map<string, Promise<unknown>>;
  /** Results of those that have happened and whose note could not be written yet. */
  readonly unnoted: Map<string, unknown>;
}

const createContext = (
  { inbox, claimed, effects }: Pick<Attempt, 'inbox' | 'claimed' | 'effects'>,
  signal: AbortSignal,
): ActionContext => {
  /** It has happened, so it is noted even where its result cannot be. */
  const note = async (key: string, value: unknown): Promise<void> => {
    try {
      await inbox.noteEffect(claimed.id, {
        key,
        value: plainJson(
          value,
          `The effect ${JSON.stringify(key)} happened, but its result cannot be written as JSON; later attempts get undefined for it.`,
        ),
      });
    } catch (error) {
      if (error instanceof NotPlainJson) await inbox.noteEffect(claimed.id, { key, value: undefined });
      throw error;
    }
  };
  const runOnce = async <TResult>(key: string, run: Effect<TResult>): Promise<TResult> => {
    const name = `${claimed.id}:${key}`;
    const noted = effects.unnoted.has(name) ? undefined : await inbox.effect(claimed.id, key);
    // What was noted is what this effect returned before, as JSON.
    if (noted) return noted.value as TResult;
    if (!effects.unnoted.has(name)) {
      signal.throwIfAborted();
      effects.unnoted.set(name, await run({ idempotencyKey: name }));
    }
    // While its note cannot be written, the memory of this process keeps it from happening again.
    const value = effects.unnoted.get(name) as TResult; // set above, or by an earlier attempt of the same effect
    try {
      await note(key, value);
      effects.unnoted.delete(name);
    } catch (error) {
      if (error instanceof NotPlainJson) effects.unnoted.delete(name);
      throw error;
    }
    return value;
  };
  return {
    eventId: claimed.id,
    attempt: claimed.attempts,
    signal,
    once<TResult>(key: string, effect: Effect<TResult>): Promise<TResult> {
      const name = `${claimed.id}:${key}`;
      // Under one name stands one effect, so what runs gives what this one would.
      const running = effects.running.get(name) as Promise<TResult> | undefined;
      if (running) return running;
      const begun = runOnce(key, effect).finally(() => effects.running.delete(name));
      effects.running.set(name, begun);
      return begun;
    },
  };
};

/** Everything one attempt needs. */
export interface Attempt {
  readonly inbox: ActionInbox;
  readonly route: ActionRoute;
  readonly claimed: ClaimedDelivery;
  readonly event: ActionEvent;
  /** Fires when the host stops. */
  readonly stopped: AbortSignal;
  readonly timeoutMs: number;
  readonly effects: Effects;
  /** Hears of a part of the return value that viewers do not get. */
  readonly onReplyProblem: (problem: string) => void;
}

/** Runs a handler once. Rejects when it fails, when its time is up, and with {@link UnusableRows}. */
export const runHandler = async (attempt: Attempt): Promise<ActionReply | undefined> => {
  const { route, timeoutMs } = attempt;
  const timeUp = new AbortController();
  const signal = AbortSignal.any([attempt.stopped, timeUp.signal]);
  const ended = Promise.withResolvers<never>();
  const onAbort = () => ended.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(
    () => timeUp.abort(new Error(`The handler took longer than ${timeoutMs} ms.`)),
    timeoutMs,
  );
  const run = async () => {
    const { schema } = route.match;
    const event = schema ? await withSchema(attempt.event, schema) : attempt.event;
    signal.throwIfAborted();
    return route.handler(event, createContext(attempt, signal));
  };
  try {
    // A handler that ignores its signal, or a schema that never answers, must not hold the slot.
    const reply = await Promise.race([run(), ended.promise]);
    plainJson(reply ?? undefined);
    return plainJson(checkReply(reply, attempt.onReplyProblem));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
};
