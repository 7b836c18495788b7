import { type EmbedKey, reportUrl } from '@vitrine/contract';
import type { EmbedError } from './errors.ts';
import { type KeyTimes, planKey } from './planRenewal.ts';

/**
 * A time-dependent task: acts, and returns the times at which to act again. Past times are ignored. `isWake`: the
 * viewer or the network may have come back. `isStored`: the page goes into the browser's back/forward
 * cache, or comes out of it.
 */
export type ClockTask = (now: number, isWake: boolean, isStored: boolean) => readonly number[];

/** Maximum delay of the timer, and so of noticing a suspension. */
const longestSleepMs = 30_000;

/** Minimum delay of the timer, so that no task can cause a busy loop. */
const shortestSleepMs = 50;

// Not `unload` or `beforeunload`: they disable the back/forward cache.
const pageEvents = ['pagehide', 'pageshow', 'freeze', 'resume', 'focus', 'online', 'visibilitychange'];
/** What brings a page back that the browser keeps in its back/forward cache, or has frozen. */
const returnEvents = new Map([
  ['pagehide', 'pageshow'],
  ['freeze', 'resume'],
]);

/** A key in the cache. */
export type CachedKey = EmbedKey & {
  /** When its request was sent, by the wall clock of the sender: the page, or the server that rendered its HTML. */
  readonly requestedAt: number;
};

/** A key in use by reports, with its times on the page's clock. */
export interface ActiveKey extends KeyTimes {
  /** URL of the report with the key: a secret. */
  readonly src: string;
  /** How long its request took; undefined for a key that this page has not requested. */
  readonly requestMs?: number | undefined;
}

/** The state of a key's session. */
export interface KeySnapshot {
  /**
   * The key, which may have expired. `error` says why it could not be renewed. Without one, nothing may be shown: access was refused, or
   * the page was in the browser's back/forward cache, and another person may bring it back.
   */
  readonly activeKey: ActiveKey | undefined;
  readonly error: EmbedError | undefined;
}

/** Creates the clock of a page, with one timer for all tasks. It has a timer and listeners only while a task is subscribed. */
export const createClock = () => {
  const tasks = new Set<ClockTask>();
  const activeKeys = new WeakMap<CachedKey, ActiveKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isCheckScheduled = false;
  let isWake = false;
  let isStored = false;
  /** The event that brings the page back; undefined while it runs. */
  let returnEvent: string | undefined;

  let elapsed = 0;
  // Zero before the first reading, so that importing the library reads no clock.
  let monotonic = 0;
  let wall = 0;

  const now = () => {
    const monotonicStep = performance.now() - monotonic;
    const wallStep = Date.now() - wall;
    monotonic += monotonicStep;
    wall += wallStep;
    elapsed += Math.max(0, monotonicStep, wallStep);
    return elapsed;
  };

  const runChecks = () => {
    const date = now();
    const changes = [isWake, isStored] as const;
    isCheckScheduled = isWake = isStored = false;
    const deadlines = [...tasks].flatMap((task) => task(date, ...changes));
    clearTimeout(timer);
    if (!tasks.size) return;
    const sleeps = deadlines.map((deadline) => deadline - date).filter((ms) => ms > 0);
    timer = setTimeout(runChecks, Math.max(shortestSleepMs, Math.min(longestSleepMs, ...sleeps)));
  };

  const scheduleCheck = () => {
    if (!isCheckScheduled) queueMicrotask(runChecks);
    isCheckScheduled = true;
  };

  const wake = ({ type, persisted = false }: Event & Partial<PageTransitionEvent>) => {
    if (returnEvent && type !== returnEvent) return;
    returnEvent = returnEvents.get(type);
    isWake = !returnEvent;
    isStored ||= persisted;
    scheduleCheck();
  };

  const listen = (how: 'addEventListener' | 'removeEventListener') => {
    // Only the window's own `focus`: a capturing listener would also see that of every element.
    for (const type of pageEvents) globalThis[how](type, wake, type !== 'focus');
  };

  return {
    /**
     * Elapsed milliseconds: never fewer than really elapsed, unless the wall clock is set back during a suspension. Each reading adds the
     * larger of the two clocks' steps. This handles suspension (the monotonic clock may stop) and a wall clock that is set back. A wall
     * clock set forward makes keys look older, which costs one request.
     */
    now,
    /** Runs every task at the end of the current job: once, however often it is called. */
    scheduleCheck,
    /** Runs a task regularly until the returned function is called. */
    subscribe: (task: ClockTask): (() => void) => {
      if (!tasks.size) {
        returnEvent = undefined;
        listen('addEventListener');
      }
      tasks.add(task);
      scheduleCheck();
      return () => {
        tasks.delete(task);
        if (tasks.size) return;
        listen('removeEventListener');
        clearTimeout(timer);
      };
    },
    /** Whether the browser has stopped the page, or is about to. */
    isPageStopped: (): boolean => !!returnEvent,
    /** Whether the viewer cannot see the page. */
    isPageHidden: (): boolean => !!returnEvent || document.hidden,
    /**
     * Converts a key's times to this clock: always the same object for the same key. `sentAt` is when this page sent its request. A key
     * from a server's HTML or a persisted cache is dated by the wall clock, which may be behind the server's.
     */
    activate: (key: CachedKey, sentAt?: number): ActiveKey => {
      const known = activeKeys.get(key);
      if (known) return known;
      const date = now();
      const issuedAt = sentAt ?? date - Math.max(0, Date.now() - (key.requestedAt || 0));
      const activeKey = {
        src: reportUrl(key.tenantUrl, key.itemId, key.key),
        ...planKey(issuedAt, key.lifetimeMs),
        ...(sentAt !== undefined && { requestMs: date - sentAt }),
      };
      activeKeys.set(key, activeKey);
      return activeKey;
    },
  };
};
