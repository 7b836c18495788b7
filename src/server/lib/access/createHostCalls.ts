import { isThenable } from './isThenable.ts';
import type { MaybePromise } from './viewer.ts';

/** Callbacks of the host that a request waits for. */
export type HostCallback = 'viewer' | 'portal' | 'canView';

/** A callback of the host threw, rejected or timed out. */
export class HostCallbackError extends Error {
  override readonly name = 'HostCallbackError';
  readonly callback: HostCallback;
  /** The thrown value, which may be anything. */
  override readonly cause: unknown;

  constructor(callback: HostCallback, cause: unknown) {
    super(`${callback}() failed.`);
    this.callback = callback;
    this.cause = cause;
  }
}

/** Calls a callback of the host. Wraps everything that it throws in a {@link HostCallbackError}. */
export type HostCalls = <TValue>(
  callback: HostCallback,
  call: () => MaybePromise<TValue>,
) => MaybePromise<TValue>;

/** Creates {@link HostCalls} with a time limit. */
export const createHostCalls = (timeoutMs: number): HostCalls => {
  const inTime = async <TValue>(callback: HostCallback, result: PromiseLike<TValue>): Promise<TValue> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error(`${callback}() did not finish within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    try {
      return await Promise.race([result, late.promise]);
    } catch (error) {
      throw new HostCallbackError(callback, error);
    } finally {
      clearTimeout(timer);
    }
  };
  return (callback, call) => {
    try {
      const result = call();
      return isThenable(result) ? inTime(callback, result) : result;
    } catch (error) {
      throw new HostCallbackError(callback, error);
    }
  };
};
