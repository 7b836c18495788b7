import type { Environment } from '../session/environment.ts';

/** The clock, timers and events of a page, as the action stream uses them. */
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
    // `clearTimeout` takes what `setTimeout` returned.
    return () => environment.clearTimeout(timer as never);
  },
  listenToAll: (types, listener) => {
    // Several may listen with the same function.
    const own = () => listener();
    // Of `focus`, only the window's own: every element fires one, which a capturing listener would see.
    for (const type of types) environment.addEventListener(type, own, type !== 'focus');
    return () => {
      for (const type of types) environment.removeEventListener(type, own, type !== 'focus');
    };
  },
  isVisible: () => !environment.document.hidden,
  decodeText: (body) => body.pipeThrough(new environment.TextDecoderStream()),
});
