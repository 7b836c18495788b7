import { RateLimiterMemory } from 'rate-limiter-flexible';
import { describeLimit } from './describeLimit.ts';
import type { RateLimit, RateLimitOptions, SharedLimiter } from './rateLimitOptions.ts';

/** A limit that is reached. */
export interface ReachedLimit {
  readonly waitMs: number;
  readonly name: 'perViewer' | 'perTenant';
  /** Such as `120 per 60 s`. */
  readonly size: string;
}

/** A shared store has failed, or is back. */
export interface StoreChange {
  readonly name: ReachedLimit['name'];
  /** What each process counts by itself meanwhile, such as `120 per 60 s`. */
  readonly size: string;
  /** Code or name of the failure, never its message, which may quote an address; undefined when the store is back. */
  readonly cause: string | undefined;
}

/** The limits of a mount. */
export interface Limits {
  /** Counts a key. Resolves to the limit that is reached, else to nothing. */
  check(tenantKey: string, viewerKey: string): Promise<ReachedLimit | undefined>;
}

/** The limits of a host that names none. */
export const defaultLimits = {
  perViewer: { points: 120, durationSeconds: 60 },
  perTenant: { points: 60_000, durationSeconds: 60 },
} as const;

const memory = ({ points, durationSeconds }: RateLimit): SharedLimiter =>
  new RateLimiterMemory({ points, duration: durationSeconds, keyPrefix: '' });

const isShared = (value: RateLimit | SharedLimiter): value is SharedLimiter => 'consume' in value;

/** How long a shared store may take. It is asked before anything else, and a viewer waits for ten seconds in all. */
const storePatienceMs = 1000;

/** The size of a shared limit, which every limiter of rate-limiter-flexible tells. */
const limitOf = (limiter: SharedLimiter): RateLimit | undefined => {
  const { points, duration }: { points?: unknown; duration?: unknown } = Object(limiter);
  return typeof points === 'number' && typeof duration === 'number' && points > 0 && duration > 0
    ? { points, durationSeconds: duration }
    : undefined;
};

/** Some clients of a store that is away keep a question until it is back, and say nothing until then. */
const inTime = (answer: Promise<unknown>): Promise<unknown> => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const timer = setTimeout(
    () => reject(Object.assign(new Error('No answer.'), { code: 'TIMEOUT' })),
    storePatienceMs,
  );
  void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
};

const causeOf = (rejection: unknown): string => {
  const { code, name }: { code?: unknown; name?: unknown } = Object(rejection);
  return (
    ([code, name].find((one) => typeof one === 'string' && /^\w{1,60}$/.test(one)) as string | undefined) ??
    'unknown'
  );
};

const waitOf = (rejection: unknown): number | undefined => {
  const wait =
    typeof rejection === 'object' && rejection !== null && 'msBeforeNext' in rejection
      ? rejection.msBeforeNext
      : undefined;
  return typeof wait === 'number' ? Math.max(wait, 1) : undefined;
};

/** A limit and what it counts by. */
interface CountedLimit extends Pick<ReachedLimit, 'name' | 'size'> {
  readonly keyOf: (tenantKey: string, viewerKey: string) => string;
  /** Counts a key; milliseconds to wait when the limit is reached, else nothing. */
  readonly count: (key: string) => Promise<number | undefined>;
}

const countIn =
  (limiter: SharedLimiter): CountedLimit['count'] =>
  (key) =>
    limiter.consume(key).then(
      () => undefined,
      (rejection: unknown) => waitOf(rejection) ?? 1000,
    );

/** A store that fails is asked again after this pause, by one viewer; meanwhile no request depends on it. */
const storePauseMs = 1000;

const countShared = (
  limiter: SharedLimiter,
  countAlone: CountedLimit['count'],
  onChange: (cause: string | undefined) => void,
): CountedLimit['count'] => {
  let isAway = false;
  const markBack = () => {
    if (isAway) onChange(undefined);
    isAway = false;
  };
  let askAgainMs = 0;
  return async (key) => {
    const nowMs = performance.now();
    if (isAway && nowMs < askAgainMs) return countAlone(key);
    askAgainMs = nowMs + storePauseMs;
    try {
      await inTime(limiter.consume(key));
    } catch (rejection) {
      const wait = waitOf(rejection);
      if (wait === undefined) {
        const isNews = !isAway;
        isAway = true;
        askAgainMs = performance.now() + storePauseMs;
        if (isNews) onChange(causeOf(rejection));
        return countAlone(key);
      }
      markBack();
      return wait;
    }
    markBack();
    return undefined;
  };
};

/**
 * Makes the {@link Limits} of a mount. When a shared store fails, its limit is counted in this process until it is
 * back: reports keep opening, and nobody is let off the count. `onStore` hears each time that it fails again or is back.
 */
export const createLimits = (options: RateLimitOptions, onStore: (change: StoreChange) => void): Limits => {
  const { perViewer = defaultLimits.perViewer, perTenant = defaultLimits.perTenant } = options;
  const makeLimit = (
    name: ReachedLimit['name'],
    chosen: RateLimit | SharedLimiter | false,
    keyOf: CountedLimit['keyOf'],
  ): readonly CountedLimit[] => {
    if (chosen === false) return [];
    const size = describeLimit(chosen);
    if (!isShared(chosen)) return [{ name, size, keyOf, count: countIn(memory(chosen)) }];
    const alone = limitOf(chosen) ?? defaultLimits[name];
    const onChange = (cause: string | undefined) => onStore({ name, size: describeLimit(alone), cause });
    return [{ name, size, keyOf, count: countShared(chosen, countIn(memory(alone)), onChange) }];
  };
  const limits = [
    // First, so that a viewer who is turned away does not count against the tenant: else one could lock out all.
    ...makeLimit('perViewer', perViewer, (tenantKey, viewerKey) => `${tenantKey}|${viewerKey}`),
    ...makeLimit('perTenant', perTenant, (tenantKey) => tenantKey),
  ];

  return {
    check: async (tenantKey, viewerKey) => {
      for (const { name, size, keyOf, count } of limits) {
        const waitMs = await count(keyOf(tenantKey, viewerKey));
        if (waitMs !== undefined) return { waitMs, name, size };
      }
      return undefined;
    },
  };
};
