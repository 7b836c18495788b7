import type { Environment } from './environment.ts';

/** Looks at one thing that changes with time; answers in how many milliseconds it wants to look again. */
export type Look = (isWake: boolean) => number;

/** One clock and one timer for everything on a page that lives with time. */
export interface Pulse {
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
  /** Adds a look, which is soon taken; returns its removal. Timer and listeners live while there is a look. */
  readonly add: (look: Look) => () => void;
  /** Takes every look at the end of the present task: once, however many ask for it. */
  readonly beat: (isWake?: boolean) => void;
}

/** A throttled or suspended timer is noticed this soon after it can run again. */
const longestSleepMs = 30_000;

/** Clocks that differ by less than this since the last look agree. */
const toleranceMs = 30_000;

/** No answer of a look can make a page spin. */
const shortestSleepMs = 50;

// No `unload` or `beforeunload`: they would keep the page out of the back/forward cache.
const wakeEvents = ['pageshow', 'focus', 'online', 'resume', 'visibilitychange'];

/** Creates the {@link Pulse} of an environment. */
export const createPulse = ({ monotonicNow, wallNow, setTimer, listen }: Environment): Pulse => {
  const looks = new Set<Look>();
  let elapsed = 0;
  let monotonic = monotonicNow();
  let wall = wallNow();
  let doubtedAt = -1;
  let isDue = false;
  let isWaking = false;
  let stops: readonly (() => void)[] = [];
  let stopTimer: (() => void) | undefined;

  const now = () => {
    const monotonicStep = monotonicNow() - monotonic;
    const wallStep = wallNow() - wall;
    monotonic += monotonicStep;
    wall += wallStep;
    elapsed += Math.max(0, monotonicStep, wallStep);
    if (Math.abs(wallStep - monotonicStep) > toleranceMs) doubtedAt = elapsed;
    return elapsed;
  };

  const lookAround = () => {
    const isWake = isWaking;
    isDue = isWaking = false;
    let delayMs = longestSleepMs;
    for (const look of looks) delayMs = Math.min(delayMs, look(isWake));
    stopTimer?.();
    if (looks.size) stopTimer = setTimer(lookAround, Math.max(delayMs, shortestSleepMs));
  };

  const beat = (isWake = false) => {
    if (!isDue) queueMicrotask(lookAround);
    isDue = true;
    isWaking ||= isWake;
  };

  return {
    now,
    doubtedAt: () => doubtedAt,
    beat,
    add: (look) => {
      if (!looks.size) stops = wakeEvents.map((type) => listen(type, () => beat(true)));
      looks.add(look);
      beat();
      return () => {
        looks.delete(look);
        if (looks.size) return;
        stopTimer?.();
        for (const stop of stops) stop();
      };
    },
  };
};

const pulses = new WeakMap<Environment, Pulse>();

/** The one pulse of an environment. */
export const pulseOf = (environment: Environment): Pulse => {
  const pulse = pulses.get(environment) ?? createPulse(environment);
  pulses.set(environment, pulse);
  return pulse;
};
