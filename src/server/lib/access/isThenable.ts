import type { MaybePromise } from './viewer.ts';

/** Whether a value has to be waited for. Callbacks that answer at once then cost no turn of the event loop's queue. */
export const isThenable = <TValue>(value: MaybePromise<TValue>): value is PromiseLike<TValue> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
