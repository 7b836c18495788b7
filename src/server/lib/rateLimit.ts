import { RateLimiterMemory } from 'rate-limiter-flexible';
import { inTime } from './hostCalls.ts';
import { type Logger, warningFields } from './log.ts';
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
 * processes share. It rejects with an object that has `msBeforeNext` when the limit is reached.
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

type LimitName = keyof typeof defaultLimits;

/** A limit in a few words, such as `120 per 60 s`. */
const describeLimit = (limit: RateLimit | SharedLimiter | false): string => {
  if (limit === false) return 'none';
  return 'consume' in limit ? 'shared' : `${limit.points} per ${limit.durationSeconds} s`;
};

/** The limits in a few words, for the first line of the log. */
export const describeLimits = (limits: RateLimitOptions | false) =>
  limits === false
    ? 'none'
    : {
        perViewer: describeLimit(limits.perViewer ?? defaultLimits.perViewer),
        perTenant: describeLimit(limits.perTenant ?? defaultLimits.perTenant),
      };

/** What rate-limiter-flexible rejects with when a limit is reached; anything else is a failure of the store. */
interface Reached {
  readonly msBeforeNext: number;
  readonly consumedPoints?: number;
}
const isReached = (rejection: unknown): rejection is Reached =>
  typeof rejection === 'object' &&
  rejection !== null &&
  'msBeforeNext' in rejection &&
  typeof rejection.msBeforeNext === 'number';

/** Time limit of a shared store: some clients queue a command until they reconnect, and browsers wait ten seconds in all. */
const storeTimeoutMs = 1000;

/** The code or name of an error, never its message, which may quote an address. */
const causeOf = (error: unknown): string => {
  const { code, name }: { code?: unknown; name?: unknown } = Object(error);
  return [code, name].map(String).find((one) => /^\w{1,60}$/.test(one) && one !== 'undefined') ?? 'unknown';
};

/** What a limiter of rate-limiter-flexible says about itself. */
interface LimiterFacts extends SharedLimiter {
  readonly points?: unknown;
  readonly duration?: unknown;
  /** Where it counts while its store fails. */
  readonly insuranceLimiter?: SharedLimiter;
}

/**
 * Counts in a shared store, and while that fails or does not answer in this process, so that reports still open and the
 * limit still applies: in the limiter's own `insuranceLimiter`, or in memory.
 */
const countShared = (limiter: SharedLimiter, name: LimitName, logger: Logger): SharedLimiter => {
  const { points, duration, insuranceLimiter }: LimiterFacts = limiter;
  const size =
    typeof points === 'number' && typeof duration === 'number' && points > 0 && duration > 0
      ? { points, durationSeconds: duration }
      : defaultLimits[name];
  const insurance = insuranceLimiter ?? countInMemory(size);
  let hasFailed = false;
  return {
    consume: async (key) => {
      try {
        const late = () => Object.assign(new Error('The store did not answer.'), { code: 'TIMEOUT' });
        await inTime(limiter.consume(key), late, storeTimeoutMs);
        hasFailed = false;
      } catch (error) {
        if (isReached(error)) throw error;
        if (!hasFailed)
          logger.warn(
            { ...warningFields('rate_limit_store_failed'), limit: name, cause: causeOf(error) },
            `The shared store of rateLimit.${name} failed (${causeOf(error)}). Until it works again, this process counts separately: ${describeLimit(size)}.`,
          );
        hasFailed = true;
        await insurance.consume(key);
      }
    },
  };
};

const countInMemory = ({ points, durationSeconds }: RateLimit): SharedLimiter =>
  new RateLimiterMemory({ points, duration: durationSeconds, keyPrefix: '' });

/** Counts a key. Throws if a limit is reached. */
export type RateLimits = (tenantKey: string, viewerKey: string) => Promise<void>;

/** Creates the {@link RateLimits} of a mount. */
export const createRateLimits = (options: RateLimitOptions | false, logger: Logger): RateLimits => {
  const countIn = (name: LimitName) => {
    const limit = options === false ? false : (options[name] ?? defaultLimits[name]);
    if (limit === false) return async () => undefined;
    const isShared = 'consume' in limit;
    const limiter = isShared ? countShared(limit, name, logger) : countInMemory(limit);
    const { points }: LimiterFacts = isShared ? limit : limiter;
    return async (key: string): Promise<void> => {
      try {
        await limiter.consume(key);
      } catch (error) {
        if (!isReached(error)) throw error;
        throw new KeyRequestError(
          { code: 'rate_limited', retryAfterMs: Math.max(error.msBeforeNext, 1) },
          {
            origin: 'rules',
            // One line for each viewer and period, however often they ask.
            severity: error.consumedPoints === Number(points) + 1 ? 'warn' : 'debug',
            problem: `This host's limit rateLimit.${name} is reached: ${describeLimit(limit)}.`,
            hint: `If the load is legitimate, raise rateLimit.${name}.`,
          },
        );
      }
    };
  };
  const [countViewer, countTenant] = [countIn('perViewer'), countIn('perTenant')];
  return async (tenantKey, viewerKey) => {
    // First, so that a rejected viewer does not count against the tenant: otherwise one viewer could lock out all.
    await countViewer(`${tenantKey}|${viewerKey}`);
    await countTenant(tenantKey);
  };
};
