import type { StopSignal } from './stopSignal.ts';

/** Waits, or no longer than until the signal fires; it never rejects. */
export const waitBefore = (ms: number, signal: StopSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
