import { explain } from '@vitrine/contract/service';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { callHost } from './hostCalls.ts';
import { KeyRequestError } from './problems.ts';

/** A number of requests within a number of seconds. */
export interface RateLimit {
  /** Allowed requests. */
  readonly points: number;
  /** Seconds until the count restarts. */
  readonly durationSeconds: number;
}

/**
 * A limiter of `rate-limiter-flexible`: `RateLimiterRedis`, `RateLimiterPostgres` and so on, for a count that several
 * processes share. Give it an `insuranceLimiter`, which counts while its store fails: without one, key requests then get
 * a 500 response.
 */
export interface SharedLimiter {
  consume(key: string, points?: number): Promise<unknown>;
}

/** What rate-limiter-flexible rejects with when a limit is reached; anything else is a failure of the store. */
interface Reached {
  readonly msBeforeNext: number;
  readonly consumedPoints?: number;
}
const isReached = (rejection: unknown): rejection is Reached =>
  typeof rejection === 'object' && rejection !== null && 'msBeforeNext' in rejection;

/** Creates the count of a viewer's key requests, which throws when the limit is reached. */
export const createRateLimit = (limit: RateLimit | SharedLimiter | false) => {
  if (limit === false) return async () => undefined;
  const isShared = 'consume' in limit;
  const limiter: SharedLimiter & { readonly points?: number; readonly duration?: number } = isShared
    ? limit
    : new RateLimiterMemory({ points: limit.points, duration: limit.durationSeconds, keyPrefix: '' });
  const { points = 0, duration } = limiter;
  const refuse = (error: unknown): never => {
    if (!isReached(error)) throw error;
    const found = `${points} per ${duration} s`;
    const { what, check } = explain({ code: 'own_limit', part: 'rateLimit', found }, 'option');
    throw new KeyRequestError(
      { code: 'rate_limited', retryAfterMs: Math.max(error.msBeforeNext, 1) },
      {
        origin: 'rules',
        // One line for each viewer and period, however often they ask.
        severity: error.consumedPoints === points + 1 ? 'warn' : 'debug',
        problem: what,
        hint: check,
      },
    );
  };
  const consume = (key: string): Promise<unknown> => limiter.consume(key).catch(refuse);
  if (!isShared) return consume;
  return (key: string) =>
    callHost(
      'rateLimit.consume',
      () => consume(key),
      (counted) => counted,
    );
};
