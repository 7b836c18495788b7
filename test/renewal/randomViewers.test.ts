import { describe, expect, it } from 'vitest';
import { createHandMadeViewer } from '../regressions/handMadeViewer.ts';
import { seed } from '../support/seed.ts';
import { createSimulatedViewer } from '../support/simulation/simulatedViewer.ts';
import {
  type CreateViewer,
  type SimulationResult,
  simulateRandomViewer,
} from '../support/simulation/simulateRandomViewer.ts';
import { isLong, sized } from '../support/size.ts';

const lives = sized(4, 5_000);
const hoursEach = isLong ? 2_000 : 200;
/**
 * A clock sleeps at least 50 ms, and a wall clock with a drift of 0.02% measures suspensions too short to be detected.
 */
const inaccuracyMs = 60;

const simulate = async (count: number): Promise<SimulationResult[]> => {
  const reports: SimulationResult[] = [];
  for (let index = 0; index < count; index += 1) {
    reports.push(await simulateRandomViewer(seed + index, hoursEach));
  }
  return reports;
};

/** The first of some fixed seeds whose run shows an expired key; 0 if none does. */
const firstStaleSeed = async (createViewer: CreateViewer): Promise<number> => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const { staleMs } = await simulateRandomViewer(seed, 200, createViewer);
    if (staleMs > inaccuracyMs) return seed;
  }
  return 0;
};

type ReadClock = () => number;

/** A viewer whose page has one clock, derived from the two of its machine. */
const viewerWithClock =
  (createClock: (monotonic: ReadClock, wall: ReadClock) => ReadClock): CreateViewer =>
  (options) => {
    performance.now = Date.now = createClock(performance.now.bind(performance), Date.now.bind(Date));
    return createSimulatedViewer(options);
  };

/** Clocks that cannot measure every suspension and every change of the system clock. */
const wrongClocks: Readonly<Record<string, CreateViewer>> = {
  'one long timer': (options) => createHandMadeViewer(options, 'gives up'),
  'the monotonic clock alone': viewerWithClock((monotonic) => monotonic),
  'the larger of both clocks since the start, not accumulated': viewerWithClock((monotonic, wall) => {
    const [monotonicStart, wallStart] = [monotonic(), wall()];
    return () => Math.max(monotonic() - monotonicStart, wall() - wallStart);
  }),
};

describe(`${lives} simulated viewers for ${hoursEach} hours each (first seed ${seed})`, () => {
  it('show no expired key once the backend has worked for 40 seconds, and make few requests', async () => {
    const reports = await simulate(lives);
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

  for (const [name, createViewer] of Object.entries(wrongClocks))
    it(`control: would show an expired key with the time of ${name}`, async () => {
      expect(await firstStaleSeed(createViewer)).toBeGreaterThan(0);
    });

  it('control: would make many requests if a viewer retried at once', async () => {
    const byHand: CreateViewer = (options) => createHandMadeViewer(options, 'retries at once');
    const { busiestFiveMinutes } = await simulateRandomViewer(1, 20, byHand);
    expect(busiestFiveMinutes).toBeGreaterThan(40);
  });
});
