import type { Environment } from './environment.ts';

/** Clocks that differ by less than this since the last reading agree. */
const toleranceMs = 30_000;

/**
 * Creates a clock: milliseconds that have passed, never fewer than really did. At each reading the larger of the two clocks'
 * steps is added. That survives sleep (the monotonic clock may stop) and a clock set back (the wall clock jumps); a clock
 * set forward makes keys look older than they are, which costs one spare request. It has to be read every now and then.
 *
 * `onDoubt` is called when the clocks are found to disagree, after a sleep or a change of the time. A sleep with a change of
 * the time inside it cannot be measured, so whatever was known before is in doubt.
 */
export const createClock = ({ performance, Date }: Environment, onDoubt: () => void): (() => number) => {
  let elapsed = 0;
  let monotonic = performance.now();
  let wall = Date.now();
  return () => {
    const monotonicStep = performance.now() - monotonic;
    const wallStep = Date.now() - wall;
    monotonic += monotonicStep;
    wall += wallStep;
    elapsed += Math.max(0, monotonicStep, wallStep);
    if (Math.abs(wallStep - monotonicStep) > toleranceMs) onDoubt();
    return elapsed;
  };
};
