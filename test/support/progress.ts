import { isLong } from './size.ts';

const minuteMs = 60_000;

/** In a long run says once a minute how far a test has come, when it is told how much is done. */
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
