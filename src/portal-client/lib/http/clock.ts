/** Source of time. Default: the machine's; tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970, as `Date.now`. */
  readonly now: () => number;
  /** Runs `task` once after `delayMs`; returns a cancel function. */
  readonly after: (delayMs: number, task: () => void) => () => void;
}

/** The longest delay of a timer; a longer one fires at once. */
const maxDelayMs = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, Math.min(Math.max(0, delayMs), maxDelayMs));
    return () => clearTimeout(timer);
  },
};

/** The monotonic clock, for deadlines. Its zero is arbitrary. */
export const monotonicClock: Clock = { now: () => performance.now(), after: systemClock.after };
