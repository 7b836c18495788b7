import type { Clock } from './clock.ts';

/** Limits on the requests of one client. */
export interface LimiterOptions {
  readonly clock: Clock;
  /** Requests in flight at once. */
  readonly concurrency: number;
  /** Requests started in a second, evenly spaced; none by default. */
  readonly requestsPerSecond: number | undefined;
}

/** Waits for a turn, and gives back the function that ends it. Rejects when the signal fires first. */
export type Limiter = (signal: AbortSignal) => Promise<() => void>;

/** A first-come, first-served limiter. A waiter that leaves frees its place at once. */
export const createLimiter = ({ clock, concurrency, requestsPerSecond }: LimiterOptions): Limiter => {
  const waiters: (() => void)[] = [];
  const spacingMs = requestsPerSecond === undefined ? 0 : 1000 / requestsPerSecond;
  let running = 0;
  let nextStart = 0;

  const release = () => {
    running -= 1;
    waiters.shift()?.();
  };
  const place = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (running < concurrency) {
        running += 1;
        resolve();
        return;
      }
      const enter = () => {
        signal.removeEventListener('abort', leave);
        running += 1;
        resolve();
      };
      const leave = () => {
        waiters.splice(waiters.indexOf(enter), 1);
        reject(signal.reason);
      };
      waiters.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  const spacing = (signal: AbortSignal) => {
    const now = clock.now();
    // No more than these can be ahead; a clock that was set back must not put them off by as much.
    const start = Math.min(Math.max(now, nextStart), now + concurrency * spacingMs);
    nextStart = start + spacingMs;
    return pause(start - now, { clock, signal });
  };

  return async (signal) => {
    signal.throwIfAborted();
    await place(signal);
    try {
      if (spacingMs > 0) await spacing(signal);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  };
};

/** Waits `delayMs`, or rejects as soon as the signal fires. */
export const pause = (
  delayMs: number,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
