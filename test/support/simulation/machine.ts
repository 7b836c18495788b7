import { replaceGlobals } from '../replaceGlobals.ts';
import type { Agenda } from './agenda.ts';

interface Timer {
  /** The remaining delay at the start of the suspension. */
  leftMs: number;
  dueAt: number;
  readonly run: () => void;
  cancel: () => void;
}

const minuteMs = 60_000;

/** A viewer's computer: it is suspended, its clocks are wrong, its window is hidden. */
export type Machine = ReturnType<typeof createMachine>;

/**
 * Creates a {@link Machine}, whose globals are those of the test until it ends or creates another. `driftShare` is how
 * much faster its wall clock runs than real time.
 */
export const createMachine = (agenda: Agenda, random: () => number, driftShare = 0) => {
  const timers = new Set<Timer>();
  const listeners = new Map<string, Set<(event: Event) => void>>();
  let isAwake = true;
  let isVisible = true;
  let isOnline = true;
  let monotonicOffset = 0;
  let sleptAt = 0;
  let wallOffset = Date.UTC(2026, 0, 1) + (random() - 0.5) * 48 * 60 * minuteMs;
  let longestDelayMs = 0;

  const emit = (type: string) => {
    const event = { type } as Event;
    agenda.breathe();
    for (const listener of listeners.get(type) ?? []) listener(event);
  };
  const arm = (timer: Timer) => {
    timer.dueAt = agenda.now() + timer.leftMs;
    // The timers of a hidden page run at most once a minute.
    const at = isVisible ? timer.dueAt : Math.ceil(timer.dueAt / minuteMs) * minuteMs;
    timer.cancel = agenda.at(at, () => {
      timers.delete(timer);
      // A time limit rejects a promise.
      agenda.breathe();
      timer.run();
    });
  };

  replaceGlobals({
    performance: { now: () => (isAwake ? agenda.now() : sleptAt) - monotonicOffset },
    Date: { now: () => Math.round(agenda.now() * (1 + driftShare) + wallOffset) },
    Math: { random },
    setTimeout: (run: () => void, delayMs: number) => {
      longestDelayMs = Math.max(longestDelayMs, delayMs);
      // As in a browser: a delay that is not a 32-bit number of milliseconds fires at once.
      const leftMs = delayMs >= 0 && delayMs <= 0x7fffffff ? delayMs : 1;
      const timer: Timer = { leftMs, dueAt: 0, run, cancel: () => {} };
      timers.add(timer);
      arm(timer);
      return timer;
    },
    clearTimeout: (timer: Timer | undefined) => {
      if (timer && timers.delete(timer)) timer.cancel();
    },
    addEventListener: (type: string, listener: (event: Event) => void) => {
      const ofType = listeners.get(type) ?? new Set();
      listeners.set(type, ofType);
      ofType.add(listener);
    },
    removeEventListener: (type: string, listener: (event: Event) => void) =>
      listeners.get(type)?.delete(listener),
    document: {
      get hidden() {
        return !isVisible;
      },
    },
    navigator: {
      get onLine() {
        return isOnline;
      },
    },
  });

  return {
    isAwake: () => isAwake,
    isVisible: () => isVisible,
    /** The longest delay that was requested. */
    longestDelayMs: () => longestDelayMs,
    /** Timers that are waiting. */
    timerCount: () => timers.size,
    sleep: () => {
      if (!isAwake) return;
      isAwake = false;
      sleptAt = agenda.now();
      for (const timer of timers) {
        timer.cancel();
        timer.leftMs = Math.max(0, timer.dueAt - sleptAt);
      }
    },
    /** Ends the suspension; the page receives the event or not. */
    wake: (isHeard: boolean) => {
      if (isAwake) return;
      isAwake = true;
      monotonicOffset += agenda.now() - sleptAt;
      for (const timer of timers) arm(timer);
      if (isHeard) emit('resume');
    },
    setVisible: (value: boolean) => {
      if (isVisible === value) return;
      isVisible = value;
      for (const timer of timers) {
        timer.cancel();
        timer.leftMs = Math.max(0, timer.dueAt - agenda.now());
        arm(timer);
      }
      emit('visibilitychange');
    },
    setOnline: (value: boolean) => {
      isOnline = value;
      if (value) emit('online');
    },
    stepWall: (ms: number) => {
      wallOffset += ms;
    },
  };
};
