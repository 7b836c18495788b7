import type { Environment } from './environment.ts';

/** Tells how much time has passed. */
export interface Clock {
  /**
   * Milliseconds that have passed, never fewer than really did: at each call the larger of the two clocks' steps is added.
   * That survives sleep (the monotonic clock may stop) and a clock set back (the wall clock jumps); a clock set
   * forward makes keys look older than they are, which costs one spare request.
   */
  readonly now: () => number;
  /**
   * When the clocks last disagreed, on this clock: after a sleep or a change of the time. A sleep with a change of the
   * time inside it cannot be measured, so whatever was known before is in doubt.
   */
  readonly doubtedAt: () => number;
}

/** Clocks that differ by less than this since the last look agree. */
const toleranceMs = 30_000;

/** Creates a {@link Clock}. It has to be read every now and then: what happens between two readings is seen as one step. */
export const createClock = ({ performance, Date }: Environment): Clock => {
  let elapsed = 0;
  let monotonic = performance.now();
  let wall = Date.now();
  let doubtedAt = -Infinity;
  return {
    now: () => {
      const monotonicStep = performance.now() - monotonic;
      const wallStep = Date.now() - wall;
      monotonic += monotonicStep;
      wall += wallStep;
      elapsed += Math.max(0, monotonicStep, wallStep);
      if (Math.abs(wallStep - monotonicStep) > toleranceMs) doubtedAt = elapsed;
      return elapsed;
    },
    doubtedAt: () => doubtedAt,
  };
};
