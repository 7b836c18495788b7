import { expect, it } from 'vitest';
import { leastRequests, measurePlanCommand, measureSync, type SyncMeasure } from './support/measureSync.ts';

const printMeasure = (title: string, measure: SyncMeasure, least: number) =>
  process.stdout.write(
    `${title}: plan ${measure.planSeconds.toFixed(1)} s, apply ${measure.applySeconds.toFixed(1)} s, ` +
      `memory idle ${measure.idleMegabytes} MB, peak ${measure.planPeakMegabytes} MB planning and ${measure.peakMegabytes} MB in all, ` +
      `${measure.requests} requests = ${(measure.requests / least).toFixed(2)} × the least possible\n`,
  );

it('creates a hundred thousand users in an empty tenant in bounded memory', async () => {
  const size = { existing: 0, wanted: 100_000, changeEvery: 1_000_000 };
  const measure = await measureSync(size);
  printMeasure('100,000 created', measure, leastRequests(size, 100_000));
  expect(measure).toMatchObject({ failed: 0, done: { create: 100_000 } });
  expect(measure.requests / leastRequests(size, 100_000)).toBeLessThan(1.01);
  expect(measure.planPeakMegabytes).toBeLessThan(300);
  expect(measure.peakMegabytes).toBeLessThan(600);
});

it('syncs a hundred thousand users, a tenth of them changed, in bounded memory', async () => {
  const size = { existing: 95_000, wanted: 100_000, changeEvery: 10 };
  const measure = await measureSync(size);
  printMeasure('100,000 compared, 9,500 changed, 5,000 created', measure, leastRequests(size, 14_500));
  expect(measure).toMatchObject({ failed: 0, done: { create: 5_000, update: 9_500 } });
  // Each changed user is read once more before the change.
  expect(measure.requests / leastRequests(size, 14_500)).toBeLessThan(1.7);
  expect(measure.planPeakMegabytes).toBeLessThan(300);
  expect(measure.peakMegabytes).toBeLessThan(600);
});

it.each([
  ['people.csv', { existing: 95_000, wanted: 100_000, changeEvery: 10 }, { create: 5000, update: 9500 }],
  ['people.csv', { existing: 0, wanted: 100_000, changeEvery: 10 }, { create: 100_000, update: 0 }],
  ['people.json', { existing: 95_000, wanted: 95_000, changeEvery: 10 }, { create: 0, update: 9500 }],
] as const)(
  'plans a hundred thousand users with the command in 300 MB: %s, %j',
  async (file, size, counts) => {
    const { line, peakMegabytes, plan } = await measurePlanCommand(size, file);
    process.stdout.write(`vitrine sync plan: ${line} Peak ${peakMegabytes} MB\n`);
    expect(plan).toMatchObject({ counts });
    expect(peakMegabytes).toBeLessThan(300);
  },
);
