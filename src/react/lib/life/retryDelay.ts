const second = 1000;
const urgentCapMs = 30 * second;
const calmCapMs = 5 * 60 * second;

/** What the pause after a failure depends on. */
export interface RetryPause {
  /** Failures since the last success, wake or click. */
  readonly failures: number;
  /** Drawn once per failure, in [0, 1). */
  readonly draw: number;
  /** True while a visible person has nothing to look at. */
  readonly isUrgent: boolean;
  /** What the backend asked for. */
  readonly retryAfterMs?: number | undefined;
}

/** Milliseconds to wait: full jitter over a range that doubles, never under a second, Retry-After honoured up to 5 min. */
export const retryDelayMs = ({ failures, draw, isUrgent, retryAfterMs = 0 }: RetryPause): number => {
  const rangeMs = Math.min(isUrgent ? urgentCapMs : calmCapMs, second * 2 ** failures);
  return Math.max(second + draw * (rangeMs - second), Math.min(retryAfterMs, calmCapMs));
};
