import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimit, RateLimitOptions, SharedLimiter } from './rateLimitOptions.ts';

/** The limits of a mount. */
export interface Limits {
  /** Milliseconds to wait when a limit is reached, else nothing. */
  check(tenantId: string, viewerKey: string): Promise<number | undefined>;
}

const defaults = {
  perViewer: { points: 120, durationSeconds: 60 },
  perTenant: { points: 60_000, durationSeconds: 60 },
} as const;

const memory = ({ points, durationSeconds }: RateLimit): SharedLimiter =>
  new RateLimiterMemory({ points, duration: durationSeconds, keyPrefix: '' });

const isShared = (value: RateLimit | SharedLimiter): value is SharedLimiter => 'consume' in value;

const waitOf = (rejection: unknown): number | undefined => {
  const wait =
    typeof rejection === 'object' && rejection !== null && 'msBeforeNext' in rejection
      ? rejection.msBeforeNext
      : undefined;
  return typeof wait === 'number' ? Math.max(wait, 1) : undefined;
};

/** A limit and what counts while its shared store fails. */
interface CountedLimit {
  readonly limiter: SharedLimiter;
  readonly fallback: SharedLimiter;
}

/**
 * Makes the {@link Limits} of a mount. When a shared store fails, its limit is counted in this process until it is
 * back: reports keep opening, and nobody is let off the count.
 */
export const createLimits = (options: RateLimitOptions, onStoreFailure: (error: unknown) => void): Limits => {
  const make = (name: 'perViewer' | 'perTenant') => {
    const chosen = options[name] ?? defaults[name];
    if (chosen === false) return undefined;
    const fallback = memory(isShared(chosen) ? defaults[name] : chosen);
    return { limiter: isShared(chosen) ? chosen : fallback, fallback };
  };
  const perViewer = make('perViewer');
  const perTenant = make('perTenant');

  const count = async ({ limiter, fallback }: CountedLimit, key: string): Promise<number | undefined> => {
    try {
      await limiter.consume(key);
      return undefined;
    } catch (rejection) {
      const wait = waitOf(rejection);
      if (wait !== undefined) return wait;
      if (limiter === fallback) return 1000;
      onStoreFailure(rejection);
      return fallback.consume(key).then(() => undefined, waitOf);
    }
  };

  return {
    check: async (tenantId, viewerKey) => {
      const wait = perViewer && (await count(perViewer, `${tenantId}|${viewerKey}`));
      // A viewer who is turned away does not count against the tenant: else one could lock out all.
      return wait ?? (perTenant && (await count(perTenant, tenantId)));
    },
  };
};
