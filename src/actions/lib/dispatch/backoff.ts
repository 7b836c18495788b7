/** Bounds of the pauses between attempts, in milliseconds. */
export interface BackoffOptions {
  /** Pause after the first failure. Default: 1 second. */
  readonly firstMs?: number;
  /** Longest pause. Default: 10 minutes. */
  readonly maxMs?: number;
}

/** Pause before the next attempt: doubles each time, and a random half of it keeps failed events from marching in step. */
export const backoffMs = (
  failures: number,
  { firstMs = 1000, maxMs = 600_000 }: BackoffOptions,
  random: () => number,
): number => {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(full / 2 + (full / 2) * random());
};

/** Longest pause that {@link backoffMs} gives. */
export const longestBackoffMs = ({ maxMs = 600_000 }: BackoffOptions): number => maxMs;
