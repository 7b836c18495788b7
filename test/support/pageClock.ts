/**
 * Replaces the clocks of a page by one that a test can advance, and its random numbers by their mean. Clocks and timers
 * run `speed` times as fast as real time.
 */
export const createPageClock = (speed = 1) => {
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
    advance: (ms: number) => {
      aheadMs += ms;
      dispatchEvent(new Event('focus'));
    },
    /** Restores the clock of the browser. */
    restore: () => {
      Object.assign(Date, { now: wallNow });
      Object.assign(Math, { random });
      Object.assign(globalThis, { setTimeout });
      Reflect.deleteProperty(performance, 'now');
    },
  };
};
