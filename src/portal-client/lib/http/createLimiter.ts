import { type CallScope, ScopeEnded } from './callScope.ts';
import type { Clock } from './clock.ts';

/** Limits on the requests of one client. */
export interface LimiterOptions {
  readonly clock: Clock;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Maximum number of requests per second, evenly spaced. Default: no limit. */
  readonly requestsPerSecond: number | undefined;
}

/** Waits for a slot; resolves to the function that releases it. Rejects if the scope ends first. */
export type Limiter = (scope: CallScope) => Promise<() => void>;

/** A first-come, first-served limiter. A waiter that leaves frees its slot at once. */
export const createLimiter = ({ clock, concurrency, requestsPerSecond }: LimiterOptions): Limiter => {
  const waiters: (() => void)[] = [];
  const spacingMs = requestsPerSecond === undefined ? 0 : 1000 / requestsPerSecond;
  let running = 0;
  let nextStart = 0;

  const release = () => {
    running -= 1;
    waiters.shift()?.();
  };
  const place = (scope: CallScope) =>
    new Promise<void>((resolve, reject) => {
      if (running < concurrency) {
        running += 1;
        resolve();
        return;
      }
      const enter = () => {
        scope.removeEventListener('abort', leave);
        running += 1;
        resolve();
      };
      const leave = () => {
        waiters.splice(waiters.indexOf(enter), 1);
        reject(new ScopeEnded());
      };
      waiters.push(enter);
      scope.addEventListener('abort', leave);
    });
  const spacing = (scope: CallScope) => {
    const now = clock.now();
    // At most `concurrency` requests are ahead; a clock that was set back must not delay them further.
    const start = Math.min(Math.max(now, nextStart), now + concurrency * spacingMs);
    nextStart = start + spacingMs;
    return scope.sleep(start - now);
  };

  return async (scope) => {
    if (scope.aborted) throw new ScopeEnded();
    await place(scope);
    try {
      if (spacingMs > 0) await spacing(scope);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  };
};
