import { invalidField } from '../http/portalFailure.ts';

/** Longest delay of a Node timer; a longer one fires at once. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * The clock of keys, links, the audit log and webhooks. It follows the machine's clock until a test freezes it, sets
 * it, advances it or changes its speed.
 */
export interface PortalClock {
  /** The portal's time, in milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Stops the clock at the current portal time, or at the given one. */
  freeze(atMs?: number): void;
  /** Resumes a stopped clock. */
  resume(): void;
  /** Sets the clock; it keeps running or stays stopped. */
  set(atMs: number): void;
  /** Moves the clock forward, in milliseconds (backward when negative). */
  advance(byMs: number): void;
  /** Portal milliseconds per real millisecond; 1 is real time. Greater than 0, at most 1,000,000. */
  setSpeed(factor: number): void;
  /** Resets to the machine's time at normal speed. */
  reset(): void;
  /** The state of the clock. */
  state(): PortalClockState;
  /** Calls back after a delay of portal time, however the clock is moved. Returns a cancel function. */
  schedule(callback: () => void, delayMs: number): () => void;
}

/** The state of the clock. */
export interface PortalClockState {
  /** ISO 8601 UTC. */
  readonly now: string;
  readonly isFrozen: boolean;
  readonly speed: number;
  /** Portal time minus the machine's time, in milliseconds. */
  readonly offsetMs: number;
}

/** A time, or 400 for the field that sets it: its year has four digits, as in every time of the service, also a day later. */
const checkTime = (atMs: number, field: string): number => {
  const year = new Date(atMs).getUTCFullYear();
  if (year >= 0 && year <= 9998) return atMs;
  throw invalidField(field, 'must lead to a time in the years 0 to 9998');
};

/** Creates a clock. */
export const createPortalClock = (): PortalClock => {
  let anchorPortalMs = Date.now();
  let anchorRealMs = anchorPortalMs;
  let speed = 1;
  let isFrozen = false;
  const listeners = new Set<() => void>();

  const now = () => (isFrozen ? anchorPortalMs : anchorPortalMs + (Date.now() - anchorRealMs) * speed);
  const moveTo = (portalMs: number) => {
    anchorPortalMs = portalMs;
    anchorRealMs = Date.now();
  };
  const changed = () => {
    const present = [...listeners];
    for (const listener of present) listener();
  };

  return {
    now: () => Math.floor(now()),
    freeze: (atMs) => {
      moveTo(atMs === undefined ? now() : checkTime(atMs, 'freeze'));
      isFrozen = true;
      changed();
    },
    resume: () => {
      moveTo(now());
      isFrozen = false;
      changed();
    },
    set: (atMs) => {
      moveTo(checkTime(atMs, 'set'));
      changed();
    },
    advance: (byMs) => {
      moveTo(checkTime(now() + byMs, 'advanceMs'));
      changed();
    },
    setSpeed: (factor) => {
      if (!Number.isFinite(factor) || factor <= 0 || factor > 1_000_000)
        throw invalidField('speed', 'must be greater than 0 and at most 1,000,000');
      moveTo(now());
      speed = factor;
      changed();
    },
    reset: () => {
      speed = 1;
      isFrozen = false;
      moveTo(Date.now());
      changed();
    },
    state: () => ({
      now: new Date(now()).toISOString(),
      isFrozen,
      speed,
      offsetMs: Math.round(now() - Date.now()),
    }),
    schedule: (callback, delayMs) => {
      const dueMs = now() + delayMs;
      const check = () => {
        clearTimeout(timer);
        const leftMs = dueMs - now();
        if (leftMs <= 0) {
          listeners.delete(check);
          callback();
        } else if (!isFrozen) timer = setTimeout(check, Math.min(leftMs / speed, maxTimerMs)).unref();
      };
      // Never at once: the callback may use what is returned here.
      let timer = setTimeout(check, Math.min(delayMs / speed, maxTimerMs)).unref();
      listeners.add(check);
      return () => {
        listeners.delete(check);
        clearTimeout(timer);
      };
    },
  };
};
