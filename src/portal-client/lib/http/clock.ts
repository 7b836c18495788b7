/** Where time comes from. The default is the machine's; tests hand in their own. */
export interface Clock {
  /** Milliseconds since 1970, as `Date.now`. */
  readonly now: () => number;
  /** Runs `task` once after `delayMs`; the returned function takes it back. */
  readonly after: (delayMs: number, task: () => void) => () => void;
}

/** The longest delay a timer takes; a longer one would fire at once. */
const maxDelayMs = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, Math.min(Math.max(0, delayMs), maxDelayMs));
    return () => clearTimeout(timer);
  },
};

/** Time that no change of the machine's clock moves, for deadlines. Its zero is arbitrary. */
export const monotonicClock: Clock = { now: () => performance.now(), after: systemClock.after };
