import { RateLimiterMemory } from 'rate-limiter-flexible';
import { describeLimit } from './describeLimit.ts';
import type { RateLimit, RateLimitOptions, SharedLimiter } from './rateLimitOptions.ts';

/** A limit that has been reached. */
export interface ReachedLimit {
  readonly waitMs: number;
  readonly name: 'perViewer' | 'perTenant';
  /** Such as `120 per 60 s`. */
  readonly size: string;
}

/** A shared store has failed or recovered. */
export interface StoreChange {
  readonly name: ReachedLimit['name'];
  /** The limit that each process applies meanwhile, such as `120 per 60 s`. */
  readonly size: string;
  /** Code or name of the error, never its message, which may quote an address; undefined on recovery. */
  readonly cause: string | undefined;
}

/** The limits of a mount. */
export interface Limits {
  /** Counts a key. Resolves to the limit that is reached, if any. */
  check(tenantKey: string, viewerKey: string): Promise<ReachedLimit | undefined>;
}

/** The default limits. */
export const defaultLimits = {
  perViewer: { points: 120, durationSeconds: 60 },
  perTenant: { points: 60_000, durationSeconds: 60 },
} as const;

const memory = ({ points, durationSeconds }: RateLimit): SharedLimiter =>
  new RateLimiterMemory({ points, duration: durationSeconds, keyPrefix: '' });

const isShared = (value: RateLimit | SharedLimiter): value is SharedLimiter => 'consume' in value;

/** Time limit of a shared store. It is called first, and browsers wait ten seconds in all. */
const storeTimeoutMs = 1000;

/** The size of a shared limit, which every limiter of rate-limiter-flexible exposes. */
const limitOf = (limiter: SharedLimiter): RateLimit | undefined => {
  const { points, duration }: { points?: unknown; duration?: unknown } = Object(limiter);
  return typeof points === 'number' && typeof duration === 'number' && points > 0 && duration > 0
    ? { points, durationSeconds: duration }
    : undefined;
};

/** Some store clients queue a command while disconnected, and settle only after they reconnect. */
const inTime = (answer: Promise<unknown>): Promise<unknown> => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const timer = setTimeout(
    () => reject(Object.assign(new Error('No answer.'), { code: 'TIMEOUT' })),
    storeTimeoutMs,
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
  /** Counts a key; resolves to milliseconds to wait if the limit is reached. */
  readonly count: (key: string) => Promise<number | undefined>;
}

const countIn =
  (limiter: SharedLimiter): CountedLimit['count'] =>
  (key) =>
    limiter.consume(key).then(
      () => undefined,
      (rejection: unknown) => waitOf(rejection) ?? 1000,
    );

/** After this pause, one request tries a failed store again; meanwhile no request depends on it. */
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
        const isFirst = !isAway;
        isAway = true;
        askAgainMs = performance.now() + storePauseMs;
        if (isFirst) onChange(causeOf(rejection));
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
 * Creates the {@link Limits} of a mount. While a shared store fails, this process counts by itself: reports still open,
 * and the limit still applies. `onStore` is called whenever the store fails again or recovers.
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
    // First, so that a rejected viewer does not count against the tenant: otherwise one viewer could lock out all.
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
