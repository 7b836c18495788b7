import type { Environment } from '@vitrine/react';

/** An {@link Environment} in which a test controls the clocks, the random numbers and the window. */
export interface VirtualEnvironment extends Environment {
  /** Advances time, and runs every timer that falls due, with all its consequences. */
  advance(ms: number): Promise<void>;
  /**
   * Advances time without running timers: a suspended machine. `monotonicMs` is the part that the monotonic clock
   * counts.
   */
  sleep(ms: number, monotonicMs?: number): void;
  /** Sets the wall clock forward or back. */
  stepWall(ms: number): void;
  /** Fires the events of a resume. */
  wake(): void;
  /** Fires any other event. */
  emit(type: string, more?: object): void;
  setVisible(isVisible: boolean): void;
  setOnline(isOnline: boolean): void;
  /** Elapsed milliseconds of real time. */
  readonly trueNow: number;
  readonly timerCount: number;
  readonly listenerCount: number;
  /** The element that the viewport has approached. */
  approach(element: Element): void;
  /** The longest delay that was requested. */
  readonly longestDelayMs: number;
}

/** Every promise that can settle by itself has settled; reading a body takes a few turns. */
const settled = async () => {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

interface Timer {
  at: number;
  run: () => void;
}

/** Creates a {@link VirtualEnvironment} that starts at an arbitrary time, visible and online. */
export const createVirtualEnvironment = (random: () => number = () => 0.5): VirtualEnvironment => {
  const timers = new Set<Timer>();
  const listeners = new Set<{ type: string; listener: (event: Event) => void }>();
  const near = new Map<Element, () => void>();
  const emit = (type: string, more: object = {}) => {
    for (const entry of listeners)
      if (entry.type === type) entry.listener(Object.assign(new Event(type), more));
  };
  let trueNow = 0;
  let monotonic = 5_000;
  let wall = Date.UTC(2026, 0, 1);
  let isVisible = true;
  let isOnline = true;
  let longestDelayMs = 0;

  const pass = (ms: number, monotonicMs = ms) => {
    trueNow += ms;
    wall += ms;
    monotonic += monotonicMs;
  };
  const nextDue = (until: number) => {
    let next: Timer | undefined;
    for (const timer of timers) if (timer.at <= until && (!next || timer.at < next.at)) next = timer;
    return next;
  };

  return {
    performance: { now: () => monotonic },
    Date: { now: () => wall },
    Math: { random },
    setTimeout: (run, delayMs) => {
      longestDelayMs = Math.max(longestDelayMs, delayMs);
      const timer = { at: trueNow + delayMs, run };
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => void timers.delete(timer),
    // As in a browser, the same listener of the same event is added once.
    addEventListener: (type, listener) => {
      if (![...listeners].some((entry) => entry.type === type && entry.listener === listener))
        listeners.add({ type, listener });
    },
    removeEventListener: (type, listener) => {
      for (const entry of listeners)
        if (entry.type === type && entry.listener === listener) listeners.delete(entry);
    },
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
    IntersectionObserver: class {
      #listener: (entries: readonly { readonly isIntersecting: boolean }[]) => void;
      #elements: Element[] = [];
      constructor(listener: (entries: readonly { readonly isIntersecting: boolean }[]) => void) {
        this.#listener = listener;
      }
      observe(element: Element) {
        this.#elements.push(element);
        near.set(element, () => this.#listener([{ isIntersecting: true }]));
      }
      disconnect() {
        for (const element of this.#elements) near.delete(element);
      }
    },
    TextDecoderStream,
    approach: (element) => near.get(element)?.(),
    emit,
    advance: async (ms) => {
      const until = trueNow + ms;
      await settled();
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        pass(Math.max(0, timer.at - trueNow));
        timers.delete(timer);
        timer.run();
        await settled();
      }
      pass(until - trueNow);
    },
    sleep: (ms, monotonicMs = 0) => pass(ms, monotonicMs),
    stepWall: (ms) => {
      wall += ms;
    },
    wake: () => emit('focus'),
    setVisible: (value) => {
      isVisible = value;
      emit('visibilitychange');
    },
    setOnline: (value) => {
      isOnline = value;
      if (value) emit('online');
    },
    get trueNow() {
      return trueNow;
    },
    get timerCount() {
      return timers.size;
    },
    get listenerCount() {
      return listeners.size + near.size;
    },
    get longestDelayMs() {
      return longestDelayMs;
    },
  };
};
