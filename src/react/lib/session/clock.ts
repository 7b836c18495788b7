import type { Environment } from './environment.ts';

/**
 * Something that depends on time: acts on the present, and returns the moments at which to act again. Those that have passed
 * do not matter. `isWake` says that the viewer or the network may have come back.
 */
export type ClockTask = (now: number, isWake: boolean) => readonly number[];

/** The time of one page, with one timer for everything that depends on it. */
export interface Clock {
  /** Milliseconds that have passed: never fewer than really did, except from before {@link Clock.reliableSince}. */
  readonly now: () => number;
  /** When the time that had passed could last not be measured. How old something from before is, is in doubt. */
  readonly reliableSince: () => number;
  /** Runs a task regularly until the returned function is called. */
  readonly subscribe: (task: ClockTask) => () => void;
  /** Runs every task at the end of the current job: once, however many ask for it. */
  readonly scheduleCheck: () => void;
}

/** Clocks that moved by amounts that differ by less than this agree. */
const toleranceMs = 30_000;

/** A throttled or suspended timer is noticed this soon after it can run again. */
const longestSleepMs = 30_000;

/** No task can make the page spin. */
const shortestSleepMs = 50;

// Not `unload` or `beforeunload`: they would keep the page out of the back/forward cache.
const wakeEvents = ['pagehide', 'pageshow', 'focus', 'online', 'resume', 'visibilitychange'];

/** Of `focus`, only the window's own: every element fires one, which a capturing listener would see. */
const isCapturing = (type: string) => type !== 'focus';

/** Creates a {@link Clock}. It has a timer and listeners only while a task is subscribed. */
export const createClock = (environment: Environment): Clock => {
  const tasks = new Set<ClockTask>();
  let timer: unknown;
  let isCheckScheduled = false;
  let isWake = false;
  /** Whether the browser keeps the page for its Back button. A page there is frozen without any sleep. */
  let isKept = false;

  let elapsed = 0;
  let reliableSince = -Infinity;
  let monotonic = environment.performance.now();
  let wall = environment.Date.now();

  /**
   * Each reading adds the larger of the two clocks' steps. That survives sleep (the monotonic clock may stop) and a clock
   * that is set back (the wall clock jumps). A clock that is set forward makes keys look older than they are, which costs
   * one request. Clocks that disagree mean a sleep or a change of the time; a change during a sleep cannot be measured.
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
    // `clearTimeout` takes what `setTimeout` returned.
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
    // A sleep can be hidden by a change of the time during it, however well the clocks agree.
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

/** Returns the one clock of an environment; by default that of the page. */
export const getClock = (environment: Environment = globalThis): Clock => {
  const clock = clocks.get(environment) ?? createClock(environment);
  clocks.set(environment, clock);
  return clock;
};
