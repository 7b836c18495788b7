import type { Environment } from '../life/environment.ts';

/** The clock, timers and events of a page, as the stream of actions works with them. */
export interface PageClock {
  readonly wallNow: () => number;
  readonly random: () => number;
  /** Runs once after a delay; returns its cancellation. */
  readonly setTimer: (run: () => void, delayMs: number) => () => void;
  /** Listens to an event of the window or document; returns the end of it. */
  readonly listen: (type: string, listener: () => void) => () => void;
  readonly isVisible: () => boolean;
}

/** Creates the {@link PageClock} of an environment. */
export const createPageClock = (environment: Environment): PageClock => ({
  wallNow: () => environment.Date.now(),
  random: () => environment.Math.random(),
  setTimer: (run, delayMs) => {
    const timer = environment.setTimeout(run, delayMs);
    // It is what `setTimeout` gave.
    return () => environment.clearTimeout(timer as never);
  },
  listen: (type, listener) => {
    // Several may listen with one and the same function.
    const hear = () => listener();
    environment.addEventListener(type, hear, true);
    return () => environment.removeEventListener(type, hear, true);
  },
  isVisible: () => !environment.document.hidden,
});
