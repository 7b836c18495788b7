import type { Clock } from '@vitrine/portal-client';

/** A clock that moves only with `advance`; `delays` lists the waits, which end when the time is advanced. */
export const manualClock = (startMs = Date.UTC(2026, 0, 1)) => {
  let now = startMs;
  let timers: { at: number; task: () => void }[] = [];
  const delays: number[] = [];
  const clock: Clock = {
    now: () => now,
    after: (delayMs, task) => {
      const timer = { at: now + delayMs, task };
      delays.push(delayMs);
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  const advance = (ms: number) => {
    now += ms;
    const due = timers.filter((timer) => timer.at <= now);
    timers = timers.filter((timer) => timer.at > now);
    for (const timer of due) timer.task();
  };
  return { clock, advance, delays, pending: () => timers.length };
};

/** A clock whose short waits end at once; deadlines of ten seconds and more stay pending. */
export const hastyClock = (longestMs = 10_000) => {
  let now = Date.UTC(2026, 0, 1);
  const waits: number[] = [];
  const clock: Clock = {
    now: () => now,
    after: (delayMs, task) => {
      if (delayMs >= longestMs) return () => undefined;
      let isOff = false;
      waits.push(delayMs);
      setImmediate(() => {
        if (isOff) return;
        now += delayMs;
        task();
      });
      return () => {
        isOff = true;
      };
    },
  };
  return { clock, waits };
};
