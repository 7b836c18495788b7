import type { ActionInbox } from '../inbox/actionInbox.ts';
import { jsonOf } from '../jsonOf.ts';
import type { ActionContext, Effect } from './routes.ts';

interface UnstoredResult {
  readonly deliveryId: string;
  readonly key: string;
  readonly value: unknown;
}

/** Creates what a handler's `once` needs: it runs each effect of a delivery once, and stores its result. */
export const createEffects = (inbox: ActionInbox) => {
  /** Effects in flight. One may outlast an attempt that timed out. */
  const running = new Map<string, Promise<unknown>>();
  /** Results that could not be stored yet: they prevent the effect from running again. */
  const unstored = new Map<string, UnstoredResult>();

  /** Returns whether the result itself could be stored. The effect ran, so it is noted even if not. */
  const store = async ({ deliveryId, key, value }: UnstoredResult): Promise<boolean> => {
    const isJson = jsonOf({ value }) !== undefined;
    await inbox.noteEffect(deliveryId, { key, value: isJson ? value : undefined });
    unstored.delete(`${deliveryId}:${key}`);
    return isJson;
  };
  /** Stores what `once` could not: another process may run the effect again as soon as the delivery is released. */
  const storeLate = async (deliveryId: string): Promise<void> => {
    for (const result of unstored.values()) if (result.deliveryId === deliveryId) await store(result);
  };
  /** The `once` of one attempt, which ends when its signal fires. */
  const onceFor = (deliveryId: string, signal: AbortSignal): ActionContext['once'] => {
    const run = async (key: string, effect: Effect<unknown>): Promise<unknown> => {
      const idempotencyKey = `${deliveryId}:${key}`;
      const noted = await inbox.effect(deliveryId, key);
      if (noted) unstored.delete(idempotencyKey);
      if (noted) return noted.value;
      let result = unstored.get(idempotencyKey);
      if (result === undefined) {
        signal.throwIfAborted();
        result = { deliveryId, key, value: await effect({ idempotencyKey }) };
        unstored.set(idempotencyKey, result);
      }
      if (await store(result)) return result.value;
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
  return { onceFor, storeLate };
};
