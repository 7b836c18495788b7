import type { MaybePromise } from './viewer.ts';

/** Whether a value must be awaited. Synchronous callbacks then skip a turn of the microtask queue. */
export const isThenable = <TValue>(value: MaybePromise<TValue>): value is PromiseLike<TValue> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
