/** The clock of a page in a real browser. */
export interface PageClock {
  readonly advance: (ms: number) => void;
  /** Restores the clock of the browser. */
  readonly restore: () => void;
}

/**
 * Replaces the clocks of a page by one that a test can advance, and its random numbers by their mean. Clocks and timers
 * run `speed` times as fast as real time.
 */
export const createPageClock = (speed = 1): PageClock => {
  const { now: wallNow } = Date;
  const { random } = Math;
  const { setTimeout } = globalThis;
  const monotonicNow = performance.now.bind(performance);
  let aheadMs = 0;
  Date.now = () => wallNow() * speed + aheadMs;
  performance.now = () => monotonicNow() * speed + aheadMs;
  Math.random = () => 0.5;
  Reflect.set(globalThis, 'setTimeout', (run: () => void, delayMs = 0) => setTimeout(run, delayMs / speed));
  return {
    advance: (ms) => {
      aheadMs += ms;
      dispatchEvent(new Event('focus'));
    },
    restore: () => {
      Object.assign(Date, { now: wallNow });
      Object.assign(Math, { random });
      Object.assign(globalThis, { setTimeout });
      Reflect.deleteProperty(performance, 'now');
    },
  };
};
