import { describe, expect, it } from 'vitest';
import { createRandom } from '../../support/createRandom.ts';
import { seed } from '../../support/seed.ts';
import { createAgenda } from '../../support/simulation/agenda.ts';
import { createMachine } from '../../support/simulation/machine.ts';
import { type Fault, type LifeParts, loadLifeParts, withMutant } from '../../support/simulation/mutant.ts';
import { createSimulatedViewer } from '../../support/simulation/simulatedViewer.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Somebody has looked at a report for ten minutes; its keys live an hour. */
const setUp = async (parts: LifeParts) => {
  const agenda = createAgenda();
  const random = createRandom(seed).next;
  const machine = createMachine(agenda, random);
  const answer = () => ({ kind: 'key', lifetimeMs: hour }) as const;
  const viewer = createSimulatedViewer({ parts, agenda, machine, random, answer });
  const pass = (ms: number) => agenda.runUntil(agenda.now() + ms);
  viewer.mount();
  await pass(10 * minute);
  return {
    viewer,
    pass,
    /** A sleep of which the page hears when it ends, with the clock set back meanwhile. */
    sleep: async (ms: number, backMs: number) => {
      machine.sleep();
      await pass(ms);
      machine.stepWall(-backMs);
      machine.wake(true);
    },
    isEndedKeyShown: () => (viewer.shown()?.until ?? Infinity) < agenda.now(),
  };
};

/** A clock set back by as much as the machine slept: no clock says that time has passed. */
const sleepUndone = async (parts: LifeParts) => {
  const { pass, sleep, isEndedKeyShown } = await setUp(parts);
  await sleep(10 * hour, 10 * hour);
  await pass(40 * second);
  return isEndedKeyShown();
};

/** The lid is closed while a successor loads, and its connection is gone at the wake. */
const sleepInSuccession = async (parts: LifeParts) => {
  const seen: boolean[] = [];
  // The successor hangs for up to a minute after the wake.
  for (let rest = 0; rest < minute; rest += 10 * second) {
    const { viewer, pass, sleep, isEndedKeyShown } = await setUp(parts);
    while (viewer.store().getSnapshot().frames.length < 2) await pass(100);
    await sleep(2 * hour + rest, 5 * hour);
    await pass(40 * second);
    seen.push(isEndedKeyShown());
  }
  return seen.includes(true);
};

const hardSleeps: readonly (readonly [string, (parts: LifeParts) => Promise<boolean>, Fault])[] = [
  [
    'in which the clock was set back by just as much',
    sleepUndone,
    { file: 'session/clock.ts', from: "if (type === 'resume') reliableSince = now();", to: '' },
  ],
  [
    'in which a successor lost its connection, and the clock was set back',
    sleepInSuccession,
    {
      file: 'frames/createReportStore.ts',
      from: 'if (!activeKey || activeKey === newest?.key',
      to: 'if (!activeKey || frames.length > 1 || activeKey === newest?.key',
    },
  ],
];

describe.each(hardSleeps)('a sleep %s', (_, showsEndedKey, fault) => {
  it('leaves no ended key in sight', async () => {
    expect(await showsEndedKey(await loadLifeParts())).toBe(false);
  });

  it('would leave one in sight (the control)', async () => {
    expect(await withMutant([fault], showsEndedKey)).toBe(true);
  });
});
