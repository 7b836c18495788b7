import type { Environment } from './environment.ts';

/**
 * A time-dependent task: acts, and returns the times at which to act again. Past times are ignored. `isWake`: the
 * viewer or the network may have come back.
 */
export type ClockTask = (now: number, isWake: boolean) => readonly number[];

/** The clock of one page, with one timer for all tasks. */
export interface Clock {
  /** Elapsed milliseconds: never fewer than really elapsed, except before {@link Clock.reliableSince}. */
  readonly now: () => number;
  /** The last time at which the elapsed time could not be measured. The age of anything earlier is in doubt. */
  readonly reliableSince: () => number;
  /** Runs a task regularly until the returned function is called. */
  readonly subscribe: (task: ClockTask) => () => void;
  /** Runs every task at the end of the current job: once, however often it is called. */
  readonly scheduleCheck: () => void;
}

/** Maximum difference between the clocks' steps at which they agree. */
const toleranceMs = 30_000;

/** Maximum delay of the timer, and so of noticing a suspension. */
const longestSleepMs = 30_000;

/** Minimum delay of the timer, so that no task can cause a busy loop. */
const shortestSleepMs = 50;

// Not `unload` or `beforeunload`: they disable the back/forward cache.
const wakeEvents = ['pagehide', 'pageshow', 'focus', 'online', 'resume', 'visibilitychange'];

/** Only the window's own `focus`: a capturing listener would also see that of every element. */
const isCapturing = (type: string) => type !== 'focus';

/** Creates a {@link Clock}. It has a timer and listeners only while a task is subscribed. */
export const createClock = (environment: Environment): Clock => {
  const tasks = new Set<ClockTask>();
  let timer: unknown;
  let isCheckScheduled = false;
  let isWake = false;
  /** Whether the page is in the back/forward cache, where it is frozen although the machine runs. */
  let isKept = false;

  let elapsed = 0;
  let reliableSince = -Infinity;
  let monotonic = environment.performance.now();
  let wall = environment.Date.now();

  /**
   * Each reading adds the larger of the two clocks' steps. This handles suspension (the monotonic clock may stop) and a
   * wall clock that is set back. A wall clock set forward makes keys look older, which costs one request. If the clocks
   * disagree, the machine was suspended or the time changed; a change during suspension cannot be measured.
   */
  const now = () => {
    const monotonicStep = environment.performance.now() - monotonic;
    const wallStep = environment.Date.now() - wall;
    monotonic += monotonicStep;
    wall += wallStep;
    elapsed += Math.max(0, monotonicStep, wallStep);
    if (Math.abs(wallStep - monotonicStep) > toleranceMs) reliableSince = elapsed;
    return elapsed;
  };

  const runChecks = () => {
    const date = now();
    const hasWoken = isWake;
    isCheckScheduled = isWake = false;
    const deadlines = [...tasks].flatMap((task) => task(date, hasWoken));
    // `clearTimeout` accepts the value that `setTimeout` returned.
    environment.clearTimeout(timer as never);
    if (!tasks.size) return;
    const sleeps = deadlines.map((deadline) => deadline - date).filter((ms) => ms > 0);
    const sleepMs = Math.max(shortestSleepMs, Math.min(longestSleepMs, ...sleeps));
    timer = environment.setTimeout(runChecks, sleepMs);
  };

  const scheduleCheck = () => {
    if (!isCheckScheduled) queueMicrotask(runChecks);
    isCheckScheduled = true;
  };

  const wake = ({ type }: Event) => {
    isKept = type === 'pagehide' || (isKept && type !== 'pageshow');
    if (isKept) return;
    // A time change during suspension can make the clocks agree.
    if (type === 'resume') reliableSince = now();
    isWake = true;
    scheduleCheck();
  };

  const listen = (how: 'addEventListener' | 'removeEventListener') => {
    for (const type of wakeEvents) environment[how](type, wake, isCapturing(type));
  };

  return {
    now,
    reliableSince: () => reliableSince,
    subscribe: (task) => {
      if (!tasks.size) listen('addEventListener');
      tasks.add(task);
      scheduleCheck();
      return () => {
        tasks.delete(task);
        if (tasks.size) return;
        listen('removeEventListener');
        environment.clearTimeout(timer as never);
      };
    },
    scheduleCheck,
  };
};

const clocks = new WeakMap<Environment, Clock>();

/** Returns the shared clock of an environment; by default, the page's. */
export const getClock = (environment: Environment = globalThis): Clock => {
  const clock = clocks.get(environment) ?? createClock(environment);
  clocks.set(environment, clock);
  return clock;
};
