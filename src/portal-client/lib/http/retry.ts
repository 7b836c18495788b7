import { isPortalError, type PortalError } from '../errors/portalError.ts';
import type { CallScope } from './callScope.ts';

/** One call that may take several requests. */
export interface RetryOptions<TValue> {
  readonly scope: CallScope;
  /** Makes one attempt; `attempts` counts from 1. */
  readonly attempt: (attempts: number) => Promise<TValue>;
  /** Milliseconds to wait before the next attempt, or undefined if the error is final. */
  readonly delayAfter: (error: PortalError, attempts: number) => number | undefined;
}

/** Retries until an attempt succeeds, an error is final, or the next attempt would be after the deadline. */
export const retry = async <TValue>({
  scope,
  attempt,
  delayAfter,
}: RetryOptions<TValue>): Promise<TValue> => {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(attempts);
    } catch (error) {
      if (!isPortalError(error) || scope.aborted) throw error;
      const delayMs = delayAfter(error, attempts);
      // The delay would exceed the deadline: fail now.
      if (delayMs === undefined || delayMs >= scope.remainingMs) throw error;
      await scope.sleep(delayMs);
    }
  }
};
