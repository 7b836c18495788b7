import type { Environment } from '../session/environment.ts';

/** The clock, timers and events of a page, for the action stream. */
export interface PageEnvironment {
  readonly wallNow: () => number;
  readonly random: () => number;
  /** Runs once after a delay; returns a function that cancels it. */
  readonly setTimer: (run: () => void, delayMs: number) => () => void;
  /** Listens to events of the window or document; returns an unsubscribe function. */
  readonly listenToAll: (types: readonly string[], listener: () => void) => () => void;
  readonly isVisible: () => boolean;
  readonly decodeText: (body: ReadableStream<BufferSource>) => ReadableStream<string>;
}

/** Creates the {@link PageEnvironment} of an environment. */
export const createPageEnvironment = (environment: Environment): PageEnvironment => ({
  wallNow: () => environment.Date.now(),
  random: () => environment.Math.random(),
  setTimer: (run, delayMs) => {
    const timer = environment.setTimeout(run, delayMs);
    // `clearTimeout` accepts the value that `setTimeout` returned.
    return () => environment.clearTimeout(timer as never);
  },
  listenToAll: (types, listener) => {
    // Several listeners may be the same function.
    const own = () => listener();
    // Only the window's own `focus`: a capturing listener would also see that of every element.
    for (const type of types) environment.addEventListener(type, own, type !== 'focus');
    return () => {
      for (const type of types) environment.removeEventListener(type, own, type !== 'focus');
    };
  },
  isVisible: () => !environment.document.hidden,
  decodeText: (body) => body.pipeThrough(new environment.TextDecoderStream()),
});
