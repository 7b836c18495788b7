const second = 1000;

/** Longest pause while a visible person has nothing to look at. */
export const urgentPauseMs = 30_000;

/** Longest pause otherwise. */
export const calmPauseMs = 300_000;

/** Milliseconds to wait after so many failures: full jitter over a range that doubles, from a second up to a cap. */
export const retryDelayMs = (failures: number, capMs: number, draw: number): number =>
  second + draw * (Math.min(capMs, second * 2 ** failures) - second);
