/** Inputs of {@link retryDelay}. */
export interface RetryInput {
  /** Requests sent so far. */
  readonly attempts: number;
  readonly retryAfterMs: number | undefined;
  /** 0 ≤ random < 1. */
  readonly random: number;
}

const firstPauseMs = 250;
const longestPauseMs = 8_000;

/**
 * Milliseconds before a retry: full jitter, doubling from 250 ms to 8 s, and at least the `Retry-After` of the service.
 */
export const retryDelay = ({ attempts, retryAfterMs, random }: RetryInput): number => {
  const ceiling = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, attempts - 1));
  const jitter = Math.round(random * ceiling);
  return retryAfterMs === undefined ? jitter : retryAfterMs + Math.round(random * firstPauseMs);
};
