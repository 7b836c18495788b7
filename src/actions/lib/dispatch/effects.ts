import type { ActionInbox } from '../inbox/actionInbox.ts';
import type { Effect } from './routes.ts';

/** The attempt in which an effect is to happen. */
export interface EffectOf<TResult> {
  readonly deliveryId: string;
  readonly key: string;
  readonly effect: Effect<TResult>;
  /** Fires when the attempt is over. */
  readonly signal: AbortSignal;
}

const isJson = (value: unknown): boolean => {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
};

/** Runs effects once for their delivery, see `once` of the context. */
export const createEffects = (inbox: ActionInbox) => {
  /** Those in flight. One may outlast its attempt, whose time was up. */
  const running = new Map<string, Promise<unknown>>();
  /** Results of those that have happened: while a note cannot be written, they keep the effect from happening again. */
  const unnoted = new Map<string, unknown>();

  const run = async ({ deliveryId, key, effect, signal }: EffectOf<unknown>): Promise<unknown> => {
    const idempotencyKey = `${deliveryId}:${key}`;
    const noted = await inbox.effect(deliveryId, key);
    if (noted) unnoted.delete(idempotencyKey);
    if (noted) return noted.value;
    if (!unnoted.has(idempotencyKey)) {
      signal.throwIfAborted();
      unnoted.set(idempotencyKey, await effect({ idempotencyKey }));
    }
    const value = unnoted.get(idempotencyKey);
    const canBeNoted = isJson(value);
    // It has happened, so it is noted even where its result cannot be.
    await inbox.noteEffect(deliveryId, { key, value: canBeNoted ? value : undefined });
    unnoted.delete(idempotencyKey);
    if (canBeNoted) return value;
    throw new Error(
      `The effect ${JSON.stringify(key)} happened, but its result cannot be written as JSON; later attempts get undefined for it.`,
    );
  };

  return <TResult>(given: EffectOf<TResult>): Promise<TResult> => {
    const name = `${given.deliveryId}:${given.key}`;
    const begun = running.get(name) ?? run(given).finally(() => running.delete(name));
    running.set(name, begun);
    // Under one key stands one effect: what runs, or was noted as JSON, is what this one returns.
    return begun as Promise<TResult>;
  };
};
