import type { EmbedError } from '../errors/embedError.ts';
import { createDeferred, type Deferred } from './deferred.ts';

/** Callers who wait for a new key. */
export interface RefreshWaiters {
  /** Waits for the answer to the next request. */
  readonly add: () => Promise<void>;
  /** A request is sent: its answer is for everybody who waits now. */
  readonly start: () => void;
  /** A new key has come, which is what everybody waits for. */
  readonly resolve: () => void;
  /** The request has failed. Whoever asked after it was sent goes on waiting. */
  readonly reject: (error: EmbedError) => void;
  /** No request will be sent any more. */
  readonly rejectAll: (error: EmbedError) => void;
}

/** Creates {@link RefreshWaiters}. */
export const createRefreshWaiters = (): RefreshWaiters => {
  let waiting: readonly Deferred[] = [];
  let started: readonly Deferred[] = [];
  const start = () => {
    started = [...started, ...waiting];
    waiting = [];
  };
  const reject = (error: EmbedError) => {
    for (const deferred of started) deferred.reject(error);
    started = [];
  };
  return {
    add: () => {
      const deferred = createDeferred();
      waiting = [...waiting, deferred];
      return deferred.promise;
    },
    start,
    resolve: () => {
      start();
      for (const deferred of started) deferred.resolve();
      started = [];
    },
    reject,
    rejectAll: (error) => {
      start();
      reject(error);
    },
  };
};
