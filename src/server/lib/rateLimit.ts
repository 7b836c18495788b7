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

/** Limits of key requests. Omitted: the default; false: none. */
export interface RateLimitOptions {
  /** For each viewer of a tenant. Default 120 a minute. */
  readonly perViewer?: RateLimit | SharedLimiter | false;
  /** For all viewers of a tenant together. Default 60,000 a minute. */
  readonly perTenant?: RateLimit | SharedLimiter | false;
}

const defaultLimits = {
  perViewer: { points: 120, durationSeconds: 60 },
  perTenant: { points: 60_000, durationSeconds: 60 },
} as const;

/** What rate-limiter-flexible rejects with when a limit is reached; anything else is a failure of the store. */
interface Reached {
  readonly msBeforeNext: number;
  readonly consumedPoints?: number;
}
const isReached = (rejection: unknown): rejection is Reached =>
  typeof rejection === 'object' && rejection !== null && 'msBeforeNext' in rejection;

/** Counts a key. Throws if a limit is reached. */
export type RateLimits = (tenantKey: string, viewerKey: string) => Promise<void>;

/** Creates the {@link RateLimits} of a mount. */
export const createRateLimits = (options: RateLimitOptions | false): RateLimits => {
  const countIn = (name: keyof typeof defaultLimits) => {
    const limit = options === false ? false : (options[name] ?? defaultLimits[name]);
    if (limit === false) return () => undefined;
    const isShared = 'consume' in limit;
    const limiter: SharedLimiter & { readonly points?: number; readonly duration?: number } = isShared
      ? limit
      : new RateLimiterMemory({ points: limit.points, duration: limit.durationSeconds, keyPrefix: '' });
    const { points = 0, duration } = limiter;
    const refuse = (error: unknown): never => {
      if (!isReached(error)) throw error;
      const found = `${points} per ${duration} s`;
      const { what, check } = explain({ code: 'own_limit', part: `rateLimit.${name}`, found }, 'option');
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
    return isShared
      ? (key: string) =>
          callHost(
            `rateLimit.${name}.consume`,
            () => consume(key),
            (counted) => counted,
          )
      : consume;
  };
  const [countViewer, countTenant] = [countIn('perViewer'), countIn('perTenant')];
  return async (tenantKey, viewerKey) => {
    // First, so that a rejected viewer does not count against the tenant: otherwise one viewer could lock out all.
    await countViewer(`${tenantKey}|${viewerKey}`);
    await countTenant(tenantKey);
  };
};
