/** Shortest pause after a failure. */
const minDelayMs = 1_000;

/** Longest pause while a viewer looks at an error. */
export const maxForegroundDelayMs = 30_000;

/** Longest pause while nobody is waiting: the page is hidden, or the report is still shown. */
export const maxBackgroundDelayMs = 300_000;

/**
 * Milliseconds to wait after a number of failures: full jitter (0 to 1) over a range that doubles from one second to a
 * cap.
 */
export const backoffMs = (failures: number, capMs: number, jitter: number): number =>
  minDelayMs + jitter * (Math.min(capMs, minDelayMs * 2 ** failures) - minDelayMs);
