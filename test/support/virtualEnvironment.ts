import { vi } from 'vitest';
import { clock } from '../../src/react/lib/page.ts';
import { replaceGlobals, restoreGlobals } from './replaceGlobals.ts';

/** Every promise that can settle by itself has settled; reading a body takes a few turns. */
const settled = async () => {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const isCapturing = (options: boolean | AddEventListenerOptions | undefined) =>
  typeof options === 'object' ? !!options.capture : !!options;

/** Longer than the lifetime of any key. */
const twoDaysMs = 2 * 24 * 60 * 60_000;

/**
 * Replaces the globals of the page, so that a test controls its clocks, its random numbers and its window: it starts at
 * an arbitrary time, visible and online. They are restored when the test ends, or when it creates another.
 */
export const createVirtualEnvironment = () => {
  restoreGlobals();
  vi.useFakeTimers({
    now: Date.UTC(2026, 0, 1),
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
  // Node has no window.
  const window: EventTarget = 'addEventListener' in globalThis ? globalThis : new EventTarget();
  const addToWindow = window.addEventListener.bind(window);
  const removeFromWindow = window.removeEventListener.bind(window);
  const emit = (type: string, more: object = {}) =>
    void window.dispatchEvent(Object.assign(new Event(type), more));
  const listeners = new Set<Parameters<typeof addToWindow>>();
  const findListener = (...[type, listener, options]: Parameters<typeof addToWindow>) =>
    [...listeners].find(
      (entry) => entry[0] === type && entry[1] === listener && isCapturing(entry[2]) === isCapturing(options),
    );
  const near = new Map<Element, () => void>();
  const runningMs = performance.now.bind(performance);
  /** Time in which no timer ran, and the part of it that the monotonic clock counts. */
  let sleptMs = 0;
  let countedMs = 0;
  let isVisible = true;
  let isOnline = true;
  const stepWall = (ms: number) => void vi.setSystemTime(Date.now() + ms);

  replaceGlobals(
    {
      performance: { now: () => runningMs() + countedMs },
      Math: { random: () => 0.5 },
      addEventListener: (...listener: Parameters<typeof addToWindow>) => {
        addToWindow(...listener);
        if (!findListener(...listener)) listeners.add(listener);
        const [, , options] = listener;
        const signal = typeof options === 'object' ? options.signal : undefined;
        signal?.addEventListener('abort', () => listeners.delete(listener));
      },
      removeEventListener: (...listener: Parameters<typeof removeFromWindow>) => {
        removeFromWindow(...listener);
        const known = findListener(...listener);
        if (known) listeners.delete(known);
      },
      document: {
        get hidden() {
          return !isVisible;
        },
        get visibilityState() {
          return isVisible ? 'visible' : 'hidden';
        },
      },
      navigator: {
        get onLine() {
          return isOnline;
        },
      },
      crossOriginIsolated: false,
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
    },
    () => {
      // The action stream stays open for a second without listeners.
      vi.advanceTimersByTime(1_000);
      for (const listener of listeners) removeFromWindow(...listener);
      vi.useRealTimers();
    },
  );
  // The page's clock outlives the test before: it notices the new clocks, and measures time without a doubt since then.
  clock.now();
  vi.advanceTimersByTime(twoDaysMs);
  clock.now();
  const startedMs = runningMs();

  return {
    /** The viewport approaches an element. */
    approach: (element: Element) => near.get(element)?.(),
    emit,
    /** Advances time, and runs every timer that falls due, with all its consequences. */
    advance: async (ms: number): Promise<void> => {
      const end = vi.fn();
      await settled();
      setTimeout(end, ms);
      while (end.mock.calls.length === 0) {
        vi.advanceTimersToNextTimer();
        await settled();
      }
    },
    /**
     * Advances time without running timers: a suspended machine. `monotonicMs` is the part that the monotonic clock
     * counts.
     */
    sleep: (ms: number, monotonicMs = 0) => {
      stepWall(ms);
      sleptMs += ms;
      countedMs += monotonicMs;
    },
    /** Sets the wall clock forward or back. */
    stepWall,
    /** Fires the event of a resume. */
    wake: () => emit('focus'),
    setVisible: (value: boolean) => {
      isVisible = value;
      emit('visibilitychange');
    },
    setOnline: (value: boolean) => {
      isOnline = value;
      if (value) emit('online');
    },
    /** Makes the page cross-origin isolated. */
    isolate: () => void Reflect.set(globalThis, 'crossOriginIsolated', true),
    /** Elapsed milliseconds of real time. */
    get trueNow() {
      return runningMs() - startedMs + sleptMs;
    },
    get timerCount() {
      return vi.getTimerCount();
    },
    get listenerCount() {
      // React 18 in development leaves its own behind when a component throws.
      return [...listeners].filter(([type]) => type !== 'error').length + near.size;
    },
  };
};
