import type { Environment, FrameEnvironment } from '../session/environment.ts';

/** A browser environment with a controllable clock and network. */
export interface FakeEnvironment extends Environment {
  readonly advance: (ms: number) => void;
  readonly setOnline: (isOnline: boolean) => void;
  readonly emit: (type: string, more?: object) => void;
}

/** Finds every element near the viewport, because jsdom has no layout and no `IntersectionObserver`. */
const NearObserver = function (callback: (entries: readonly object[]) => void) {
  return {
    observe: () => queueMicrotask(() => callback([{ isIntersecting: true }])),
    disconnect: () => undefined,
  };
} as unknown as typeof IntersectionObserver; // The library uses nothing else of it.

/** Creates a {@link FakeEnvironment}. */
export const createFakeEnvironment = (iframes: FrameEnvironment): FakeEnvironment => {
  /** Only listeners of this environment receive a test's events. */
  const emitter = new EventTarget();
  let aheadMs = 0;
  let isOnline = true;
  const emit = (type: string, more: object = {}) => {
    emitter.dispatchEvent(Object.assign(new Event(type), more));
  };
  return {
    iframes,
    performance: { now: () => performance.now() + aheadMs },
    Date: { now: () => Date.now() + aheadMs },
    Math: { random: () => 0.5 },
    setTimeout: (run, delayMs) => setTimeout(run, delayMs),
    clearTimeout: (timer) => clearTimeout(timer),
    addEventListener: (type, listener, isCapturing) => {
      emitter.addEventListener(type, listener, isCapturing);
      addEventListener(type, listener, isCapturing);
    },
    removeEventListener: (type, listener, isCapturing) => {
      emitter.removeEventListener(type, listener, isCapturing);
      removeEventListener(type, listener, isCapturing);
    },
    document: {
      get hidden() {
        return document.hidden;
      },
    },
    navigator: {
      get onLine() {
        return isOnline;
      },
    },
    // A getter, because a test may replace it.
    get IntersectionObserver() {
      return (globalThis.IntersectionObserver as typeof IntersectionObserver | undefined) ?? NearObserver;
    },
    // Jest's jsdom has none; the fake stream is already text.
    get TextDecoderStream() {
      return (globalThis.TextDecoderStream as typeof TextDecoderStream | undefined) ?? (Object as never);
    },
    advance: (ms) => {
      aheadMs += ms;
      emit('focus');
    },
    setOnline: (value) => {
      isOnline = value;
      if (value) emit('online');
    },
    emit,
  };
};
