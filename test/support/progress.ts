import { isLong } from './size.ts';

const minuteMs = 60_000;

/** In a long run, prints the progress of a test once a minute. */
export const createProgress = (total: number): ((done: number) => void) => {
  // The test may have replaced the clocks.
  const now = () => process.uptime() * 1_000;
  const startedAt = now();
  let saidAt = startedAt;
  return (done) => {
    const date = now();
    if (!isLong || date - saidAt < minuteMs) return;
    saidAt = date;
    const minutesLeft = Math.ceil((((date - startedAt) / done) * (total - done)) / minuteMs);
    process.stderr.write(`${done} of ${total}, ${minutesLeft} more minutes at this pace\n`);
  };
};
