import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimit, RateLimitOptions, SharedLimiter } from './rateLimitOptions.ts';

/** The limits of a mount. */
export interface Limits {
  /** Milliseconds to wait when a limit is reached, else nothing. */
  check(tenantKey: string, viewerKey: string, keys: number): Promise<number | undefined>;
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

/** A limit and what it counts by. */
interface CountedLimit {
  readonly keyOf: (tenantKey: string, viewerKey: string) => string;
  /** Counts so many keys; milliseconds to wait when the limit is reached, else nothing. */
  readonly count: (key: string, keys: number) => Promise<number | undefined>;
}

const countIn =
  (limiter: SharedLimiter): CountedLimit['count'] =>
  (key, keys) =>
    limiter.consume(key, keys).then(
      () => undefined,
      (rejection: unknown) => waitOf(rejection) ?? 1000,
    );

/** A store that fails is asked again after this pause, by one viewer; meanwhile no request depends on it. */
const storePauseMs = 1000;

const countShared = (
  limiter: SharedLimiter,
  countAlone: CountedLimit['count'],
  onStoreFailure: () => void,
): CountedLimit['count'] => {
  let isAway = false;
  let askAgainMs = 0;
  return async (key, keys) => {
    const nowMs = performance.now();
    if (isAway && nowMs < askAgainMs) return countAlone(key, keys);
    askAgainMs = nowMs + storePauseMs;
    try {
      await inTime(limiter.consume(key, keys));
    } catch (rejection) {
      const wait = waitOf(rejection);
      if (wait === undefined) {
        const isNews = !isAway;
        isAway = true;
        askAgainMs = performance.now() + storePauseMs;
        if (isNews) onStoreFailure();
        return countAlone(key, keys);
      }
      isAway = false;
      return wait;
    }
    isAway = false;
    return undefined;
  };
};

/**
 * Makes the {@link Limits} of a mount. When a shared store fails, its limit is counted in this process until it is
 * back: reports keep opening, and nobody is let off the count. `onStoreFailure` hears once, each time it fails anew.
 */
export const createLimits = (options: RateLimitOptions, onStoreFailure: () => void): Limits => {
  const { perViewer = defaults.perViewer, perTenant = defaults.perTenant } = options;
  const makeLimit = (
    chosen: RateLimit | SharedLimiter | false,
    usual: RateLimit,
    keyOf: CountedLimit['keyOf'],
  ): readonly CountedLimit[] => {
    if (chosen === false) return [];
    if (!isShared(chosen)) return [{ keyOf, count: countIn(memory(chosen)) }];
    return [{ keyOf, count: countShared(chosen, countIn(memory(usual)), onStoreFailure) }];
  };
  const limits = [
    // First, so that a viewer who is turned away does not count against the tenant: else one could lock out all.
    ...makeLimit(perViewer, defaults.perViewer, (tenantKey, viewerKey) => `${tenantKey}|${viewerKey}`),
    ...makeLimit(perTenant, defaults.perTenant, (tenantKey) => tenantKey),
  ];

  return {
    check: async (tenantKey, viewerKey, keys) => {
      for (const { keyOf, count } of limits) {
        const wait = await count(keyOf(tenantKey, viewerKey), keys);
        if (wait !== undefined) return wait;
      }
      return undefined;
    },
  };
};
