import type { ActionInbox } from '../inbox/actionInbox.ts';
import { jsonOf } from '../jsonOf.ts';
import type { ActionContext, Effect } from './routes.ts';

/** Creates the `once` of a handler's context for one attempt, which ends when its signal fires. */
export const createEffects = (inbox: ActionInbox) => {
  /** Effects in flight. One may outlast an attempt that timed out. */
  const running = new Map<string, Promise<unknown>>();
  /** Results that could not be stored yet: they prevent the effect from running again. */
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
      // The effect ran, so note it even if its result cannot be stored.
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
      // One key is one effect, so the running or stored result has this type.
      return begun as Promise<TResult>;
    };
  };
};
