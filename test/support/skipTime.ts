import { onTestFinished, vi } from 'vitest';

/** Advances the monotonic clock of this process by as much as the test requests; it also keeps running. */
export const skippableTime = (): ((ms: number) => void) => {
  const real = performance.now.bind(performance);
  let skippedMs = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
  onTestFinished(() => spy.mockRestore());
  return (ms) => {
    skippedMs += ms;
  };
};
