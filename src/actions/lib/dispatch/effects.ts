import type { ActionInbox } from '../inbox/actionInbox.ts';
import { jsonOf } from '../jsonOf.ts';
import type { ActionContext, Effect } from './routes.ts';

/** Makes `once` of the handlers' context, for an attempt at a delivery that is over when its signal fires. */
export const createEffects = (inbox: ActionInbox) => {
  /** Those in flight. One may outlast its attempt, whose time was up. */
  const running = new Map<string, Promise<unknown>>();
  /** Results of those that have happened: while a note cannot be written, they keep the effect from happening again. */
  const unnoted = new Map<string, unknown>();

  return (deliveryId: string, signal: AbortSignal): ActionContext['once'] => {
    const run = async (key: string, effect: Effect<unknown>): Promise<unknown> => {
      const idempotencyKey = `${deliveryId}:${key}`;
      const noted = await inbox.effect(deliveryId, key);
      if (noted) unnoted.delete(idempotencyKey);
      if (noted) return noted.value;
      if (!unnoted.has(idempotencyKey)) {
        signal.throwIfAborted();
        unnoted.set(idempotencyKey, await effect({ idempotencyKey }));
      }
      const value = unnoted.get(idempotencyKey);
      const canBeNoted = jsonOf({ value }) !== undefined;
      // It has happened, so it is noted even where its result cannot be.
      await inbox.noteEffect(deliveryId, { key, value: canBeNoted ? value : undefined });
      unnoted.delete(idempotencyKey);
      if (canBeNoted) return value;
      throw new Error(
        `The effect ${JSON.stringify(key)} happened, but its result cannot be stored as JSON; later attempts get undefined.`,
      );
    };
    return <TResult>(key: string, effect: Effect<TResult>): Promise<TResult> => {
      const name = `${deliveryId}:${key}`;
      const begun = running.get(name) ?? run(key, effect).finally(() => running.delete(name));
      running.set(name, begun);
      // Under one key stands one effect: what runs, or was noted as JSON, is what this one returns.
      return begun as Promise<TResult>;
    };
  };
};
