import type { EmbedError } from '../errors/embedError.ts';
import type { ActiveKey } from '../session/activeKey.ts';

/** What has become of a refresh: undefined while it is under way. */
export type RefreshOutcome = 'visible' | EmbedError | undefined;

/** Those who wait for a refresh. */
export interface RefreshWaiters {
  /** Waits for a frame with another key than the newest, `oldKey`. */
  readonly add: (oldKey: ActiveKey | undefined) => Promise<void>;
  /** Settles the promises of those whose refresh is over. */
  readonly settle: (findOutcome: (oldKey: ActiveKey | undefined) => RefreshOutcome) => void;
}

interface Waiter {
  readonly oldKey: ActiveKey | undefined;
  readonly resolve: () => void;
  readonly reject: (error: EmbedError) => void;
}

/** Creates {@link RefreshWaiters}. A rejection that nobody handles is not reported: `onError` tells the host as well. */
export const createRefreshWaiters = (): RefreshWaiters => {
  let waiters: readonly Waiter[] = [];
  return {
    add: (oldKey) => {
      const promise = new Promise<void>((resolve, reject) => {
        waiters = [...waiters, { oldKey, resolve, reject }];
      });
      promise.catch(() => {});
      return promise;
    },
    settle: (findOutcome) => {
      waiters = waiters.filter(({ oldKey, resolve, reject }) => {
        const outcome = findOutcome(oldKey);
        if (outcome === 'visible') resolve();
        else if (outcome) reject(outcome);
        return !outcome;
      });
    },
  };
};
