import { isPortalError, type PortalError } from '../errors/portalError.ts';
import type { CallScope } from './callScope.ts';

/** One call that may take several requests. */
export interface RepeatOptions<TValue> {
  readonly scope: CallScope;
  /** Sends once; `attempts` counts from 1. */
  readonly attempt: (attempts: number) => Promise<TValue>;
  /** Milliseconds to wait before the next try, or undefined when the error is final. */
  readonly delayAfter: (error: PortalError, attempts: number) => number | undefined;
}

/** Tries until an attempt succeeds, or its error is final, or the next try would come after the deadline. */
export const repeat = async <TValue>({
  scope,
  attempt,
  delayAfter,
}: RepeatOptions<TValue>): Promise<TValue> => {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(attempts);
    } catch (error) {
      if (!isPortalError(error) || scope.aborted) throw error;
      const delayMs = delayAfter(error, attempts);
      // A pause that outlives the deadline helps nobody: say now what went wrong.
      if (delayMs === undefined || delayMs >= scope.remainingMs) throw error;
      await scope.pause(delayMs);
    }
  }
};
