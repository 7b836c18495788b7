import { isLong } from './size.ts';

const minuteMs = 60_000;

/** In a long run, prints the progress of a test once a minute. */
export const createProgress = (total: number): ((done: number) => void) => {
  const startedAt = performance.now();
  let saidAt = startedAt;
  return (done) => {
    const now = performance.now();
    if (!isLong || now - saidAt < minuteMs) return;
    saidAt = now;
    const minutesLeft = Math.ceil((((now - startedAt) / done) * (total - done)) / minuteMs);
    process.stderr.write(`${done} of ${total}, ${minutesLeft} more minutes at this pace\n`);
  };
};
