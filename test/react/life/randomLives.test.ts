import { describe, expect, it } from 'vitest';
import { createProgress } from '../../support/progress.ts';
import { seed } from '../../support/seed.ts';
import { type Fault, type LifeParts, loadLifeParts, withMutant } from '../../support/simulation/mutant.ts';
import { type LifeReport, liveRandomLife } from '../../support/simulation/randomLife.ts';
import { isLong, sized } from '../../support/size.ts';

const lives = sized(60, 5_000);
const hoursEach = isLong ? 2_000 : 200;
/** A clock sleeps no shorter than 50 ms, and a wall clock that goes 0.02 % wrong measures sleeps too short to be doubted. */
const inaccuracyMs = 60;

const live = async (parts: LifeParts, count: number): Promise<LifeReport[]> => {
  const reports: LifeReport[] = [];
  const say = createProgress(count);
  for (let index = 0; index < count; index += 1) {
    reports.push(await liveRandomLife(parts, seed + index, hoursEach));
    say(reports.length);
  }
  return reports;
};

/** The first of some fixed seeds whose life goes wrong; 0 when none does. */
const firstBadSeed = async (parts: LifeParts, isBad: (report: LifeReport) => boolean): Promise<number> => {
  for (let seed = 1; seed <= 100; seed += 1) if (isBad(await liveRandomLife(parts, seed, 200))) return seed;
  return 0;
};

const clock = 'session/clock.ts';
const step = 'elapsed += Math.max(0, monotonicStep, wallStep);';
const doubt = {
  file: clock,
  from: 'if (Math.abs(wallStep - monotonicStep) > toleranceMs) reliableSince = elapsed;',
  to: '',
};

const clockMutants: Readonly<Record<string, readonly Fault[]>> = {
  'one long timer, and no wake events': [
    { file: clock, from: 'longestSleepMs = 30_000', to: 'longestSleepMs = Infinity' },
    { file: clock, from: "['pageshow', 'focus', 'online', 'resume', 'visibilitychange']", to: '[]' },
  ],
  'both clocks, without a doubt when they disagree': [doubt],
  'the wall clock alone': [{ file: clock, from: step, to: 'elapsed += wallStep;' }, doubt],
  'the monotonic clock alone': [{ file: clock, from: step, to: 'elapsed += monotonicStep;' }, doubt],
  'the larger of both clocks since the start, not accumulated': [
    {
      file: clock,
      from: '  let elapsed = 0;',
      to: '  let elapsed = 0; const m0 = environment.performance.now(); const w0 = environment.Date.now();',
    },
    { file: clock, from: step, to: 'elapsed = Math.max(monotonic - m0, wall - w0);' },
    doubt,
  ],
};

describe(`${lives} random lives of ${hoursEach} hours each (first seed ${seed})`, () => {
  it('never show an expired key to a person once the backend has been well for 40 seconds, and stay thrifty', async () => {
    const reports = await live(await loadLifeParts(), lives);
    const bad = reports.filter(
      ({
        staleMs,
        unseenMs,
        unseenMsAllowed,
        keys,
        keysAllowed,
        tooSoon,
        busiestFiveMinutes,
        longestDelayMs,
        timersLeft,
      }) =>
        staleMs > inaccuracyMs ||
        unseenMs > unseenMsAllowed ||
        keys > keysAllowed ||
        tooSoon > 0 ||
        busiestFiveMinutes > 40 ||
        longestDelayMs > 30_000 ||
        timersLeft > 0,
    );
    expect(bad).toEqual([]);
  });

  for (const [name, faults] of Object.entries(clockMutants))
    it(`would show one if time were told by ${name}`, async () => {
      const seed = await withMutant(faults, (parts) =>
        firstBadSeed(parts, ({ staleMs }) => staleMs > inaccuracyMs),
      );
      expect(seed).toBeGreaterThan(0);
    });

  it('would not be thrifty without a pause between attempts', async () => {
    const faults = [
      {
        file: 'session/scheduler.ts',
        from: 'state.requestedAt + pauseMs(state, now)',
        to: 'state.requestedAt',
      },
      { file: clock, from: 'shortestSleepMs = 50', to: 'shortestSleepMs = 200' },
    ];
    const seed = await withMutant(faults, (parts) => firstBadSeed(parts, ({ tooSoon }) => tooSoon > 0));
    expect(seed).toBeGreaterThan(0);
  });
});
