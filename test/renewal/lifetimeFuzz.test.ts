import { describe, expect, it } from 'vitest';
import { clock } from '../../src/react/lib/page.ts';
import { createHandMadeViewer } from '../regressions/handMadeViewer.ts';
import { createRandom } from '../support/createRandom.ts';
import { seed } from '../support/seed.ts';
import { createAgenda } from '../support/simulation/agenda.ts';
import { createMachine } from '../support/simulation/machine.ts';
import { type CreateViewer, createSimulatedViewer } from '../support/simulation/simulatedViewer.ts';
import { sized } from '../support/size.ts';

const cases = sized(30, 50_000);
const hourMs = 3_600_000;

/** Lifetimes that a broken, hostile or unusual backend may send. */
const oddities: readonly unknown[] = [
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  Number.POSITIVE_INFINITY,
  -1,
  0,
  Number.MIN_VALUE,
  1,
  59_000,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 31 + 1,
  2 ** 53,
  1e15,
  1e300,
  '3600000',
  'an hour',
  '',
  null,
  undefined,
  true,
  [],
  {},
];

interface FuzzReport {
  readonly lifetimeMs: unknown;
  readonly attemptsPerHour: number;
  readonly keysTooSoon: number;
  readonly longestDelayMs: number;
}

const live = async (
  number: number,
  ms = hourMs,
  createViewer: CreateViewer = createSimulatedViewer,
): Promise<FuzzReport> => {
  const random = createRandom(seed + number).next;
  const lifetimeMs =
    number < oddities.length
      ? oddities[number]
      : random() < 0.5
        ? oddities[number % oddities.length]
        : 10 ** (random() * 16);
  const agenda = createAgenda();
  const machine = createMachine(agenda, random);
  const viewer = createViewer({
    agenda,
    machine,
    random,
    answer: () => ({ kind: 'key', lifetimeMs }),
  });
  viewer.mount();
  await agenda.runUntil(ms);
  viewer.unmount();
  const { keys, attempts } = viewer;
  return {
    lifetimeMs,
    attemptsPerHour: (attempts.length * hourMs) / ms,
    keysTooSoon: keys.filter((time, index) => index > 0 && time - keys[index - 1]! < 9_500).length,
    longestDelayMs: machine.longestDelayMs(),
  };
};

const isBad = ({ attemptsPerHour, keysTooSoon, longestDelayMs }: FuzzReport) =>
  attemptsPerHour > hourMs / 8_000 || keysTooSoon > 0 || !(longestDelayMs <= 30_000);

describe('an unreasonable lifetime', () => {
  it(`never causes a loop, a delay that overflows, or more than one key per ten seconds (${cases} lifetimes, seed ${seed})`, async () => {
    const bad: FuzzReport[] = [];
    for (let number = 0; number < cases; number += 1) {
      const report = await live(number);
      if (isBad(report)) bad.push(report);
    }
    expect(bad).toEqual([]);
    expect((await live(oddities.indexOf(59_000))).attemptsPerHour).toBeGreaterThan(50);
  });

  it('control: would cause these in a hand-written viewer', async () => {
    const byHand: CreateViewer = (options) => createHandMadeViewer(options, 'retries at once');
    const reports = [];
    for (const number of oddities.keys()) reports.push(await live(number, 60_000, byHand));
    expect(reports.filter(isBad).length).toBeGreaterThan(3);
  });

  it.each([
    [1, 15_000],
    [20_000, 20_000],
    [1e15, 24 * hourMs],
  ])('of %i ms is treated as %i ms', (lifetimeMs, expected) => {
    createMachine(createAgenda(), createRandom(seed).next);
    const tenantUrl = 'https://acme.example';
    const key = { itemId: 1, key: 'k', tenantUrl, lifetimeMs, expiresAt: '', requestedAt: 0 };
    expect(clock.activate(key, 0).expiresAt).toBe(expected);
  });
});
