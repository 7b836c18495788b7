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
