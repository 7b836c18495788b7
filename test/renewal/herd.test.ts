import { describe, expect, it } from 'vitest';
import { createRandom } from '../support/createRandom.ts';
import { seed } from '../support/seed.ts';
import { createAgenda } from '../support/simulation/agenda.ts';
import { createMachine } from '../support/simulation/machine.ts';
import { type BackendAnswer, createSimulatedViewer } from '../support/simulation/simulatedViewer.ts';
import { sized } from '../support/size.ts';

/** Fewer than 400 say nothing about a peak. */
const viewers = Math.max(400, sized(400, 10_000));
/** Limits for 10,000 viewers. */
const scale = viewers / 10_000;
/** Fewer viewers vary more. */
const noise = scale === 1 ? 1 : 1.6;
const minute = 60_000;

/**
 * All viewers open the page within one second, with an outage of the backend. How many requests arrive in the worst
 * second?
 */
const stampede = async (
  until: number,
  {
    outage,
    pageRandom,
  }: {
    readonly outage?: { readonly from: number; readonly to: number };
    /** The random numbers of every viewer's page. */
    readonly pageRandom?: () => number;
  } = {},
) => {
  const random = createRandom(seed).next;
  const perSecond = new Map<number, number>();
  const answer = (now: number): BackendAnswer => {
    const bucket = Math.floor(now / 1000);
    perSecond.set(bucket, (perSecond.get(bucket) ?? 0) + 1);
    const isOut = outage && now >= outage.from && now < outage.to;
    return isOut
      ? { kind: 'status', status: 503, code: 'portal_unavailable' }
      : { kind: 'key', lifetimeMs: 60 * minute };
  };
  for (let index = 0; index < viewers; index += 1) {
    // They share nothing but the backend, so they live one after another.
    const agenda = createAgenda();
    const machine = createMachine(agenda, pageRandom ?? random);
    const viewer = createSimulatedViewer({ agenda, machine, random, answer: () => answer(agenda.now()) });
    agenda.at(random() * 1000, viewer.mount);
    await agenda.runUntil(until);
    viewer.unmount();
    await agenda.runUntil(until + 1);
  }
  const peakAfter = (from: number) =>
    Math.max(...[...perSecond].filter(([bucket]) => bucket * 1000 >= from).map(([, count]) => count));
  return { peakAfter };
};

describe(`${viewers} viewers who open a page in the same second`, () => {
  it('renew their keys spread over time, at most 60 per second for 10,000 viewers', async () => {
    const { peakAfter } = await stampede(70 * minute);
    expect(peakAfter(2 * minute)).toBeLessThanOrEqual(60 * scale + 6);
  }, 120_000);

  it('control: would renew at once without jitter', async () => {
    const { peakAfter } = await stampede(50 * minute, { pageRandom: () => 0.5 });
    expect(peakAfter(2 * minute)).toBeGreaterThan(60 * scale + 6);
  }, 120_000);

  it('do not stampede when a backend returns after an outage of ten minutes', async () => {
    const outage = { from: 0, to: 10 * minute };
    const { peakAfter } = await stampede(12 * minute, { outage });
    expect(peakAfter(minute)).toBeLessThanOrEqual(800 * scale * noise);
  }, 120_000);

  it('control: would stampede if all backoffs were equal', async () => {
    const outage = { from: 0, to: 10 * minute };
    const { peakAfter } = await stampede(12 * minute, { outage, pageRandom: () => 0.5 });
    expect(peakAfter(minute)).toBeGreaterThan(800 * scale * noise);
  }, 120_000);
});
