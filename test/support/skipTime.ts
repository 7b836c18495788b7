import { onTestFinished, vi } from 'vitest';

/** Lets the monotonic clock of this process run ahead, by as much as the test says; it goes on by itself meanwhile. */
export const skippableTime = (): ((ms: number) => void) => {
  const real = performance.now.bind(performance);
  let skippedMs = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
  onTestFinished(() => spy.mockRestore());
  return (ms) => {
    skippedMs += ms;
  };
};
