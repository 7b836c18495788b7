import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimit, RateLimitOptions, SharedLimiter } from './rateLimitOptions.ts';

/** The limits of a mount. */
export interface Limits {
  /** Milliseconds to wait when a limit is reached, else nothing. */
  check(tenantKey: string, viewerKey: string): Promise<number | undefined>;
}

const defaults = {
  perViewer: { points: 120, durationSeconds: 60 },
  perTenant: { points: 60_000, durationSeconds: 60 },
} as const;

const memory = ({ points, durationSeconds }: RateLimit): SharedLimiter =>
  new RateLimiterMemory({ points, duration: durationSeconds, keyPrefix: '' });

const isShared = (value: RateLimit | SharedLimiter): value is SharedLimiter => 'consume' in value;

/** How long a shared store may take. It is asked before anything else, and a viewer waits for ten seconds in all. */
const storePatienceMs = 1000;

/** Some clients of a store that is away keep a question until it is back, and say nothing until then. */
const inTime = (answer: Promise<unknown>): Promise<unknown> => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => reject(new Error('The store did not answer in time.')), storePatienceMs);
  void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
};

const waitOf = (rejection: unknown): number | undefined => {
  const wait =
    typeof rejection === 'object' && rejection !== null && 'msBeforeNext' in rejection
      ? rejection.msBeforeNext
      : undefined;
  return typeof wait === 'number' ? Math.max(wait, 1) : undefined;
};

/** A limit, what counts while its shared store fails, and what it counts by. */
interface CountedLimit {
  readonly limiter: SharedLimiter;
  readonly fallback: SharedLimiter;
  readonly keyOf: (tenantKey: string, viewerKey: string) => string;
}

const makeLimit = (
  chosen: RateLimit | SharedLimiter | false,
  usual: RateLimit,
  keyOf: CountedLimit['keyOf'],
): readonly CountedLimit[] => {
  if (chosen === false) return [];
  const fallback = memory(isShared(chosen) ? usual : chosen);
  return [{ limiter: isShared(chosen) ? chosen : fallback, fallback, keyOf }];
};

/**
 * Makes the {@link Limits} of a mount. When a shared store fails, its limit is counted in this process until it is
 * back: reports keep opening, and nobody is let off the count.
 */
export const createLimits = (options: RateLimitOptions, onStoreFailure: (error: unknown) => void): Limits => {
  const { perViewer = defaults.perViewer, perTenant = defaults.perTenant } = options;
  const limits = [
    // First, so that a viewer who is turned away does not count against the tenant: else one could lock out all.
    ...makeLimit(perViewer, defaults.perViewer, (tenantKey, viewerKey) => `${tenantKey}|${viewerKey}`),
    ...makeLimit(perTenant, defaults.perTenant, (tenantKey) => tenantKey),
  ];

  const waitAfter = async (
    rejection: unknown,
    { limiter, fallback }: CountedLimit,
    key: string,
  ): Promise<number | undefined> => {
    const wait = waitOf(rejection);
    if (wait !== undefined) return wait;
    if (limiter === fallback) return 1000;
    onStoreFailure(rejection);
    return fallback.consume(key).then(() => undefined, waitOf);
  };

  return {
    check: async (tenantKey, viewerKey) => {
      for (const limit of limits) {
        const key = limit.keyOf(tenantKey, viewerKey);
        try {
          const counted = limit.limiter.consume(key);
          await (limit.limiter === limit.fallback ? counted : inTime(counted));
        } catch (rejection) {
          const wait = await waitAfter(rejection, limit, key);
          if (wait !== undefined) return wait;
        }
      }
      return undefined;
    },
  };
};
