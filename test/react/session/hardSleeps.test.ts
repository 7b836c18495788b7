import { describe, expect, it } from 'vitest';
import { createReport } from '../../../src/react/lib/report.ts';
import { createRandom } from '../../support/createRandom.ts';
import { seed } from '../../support/seed.ts';
import { createAgenda } from '../../support/simulation/agenda.ts';
import { createMachine } from '../../support/simulation/machine.ts';
import {
  createSimulatedViewer,
  type SimulatedViewerOptions,
} from '../../support/simulation/simulatedViewer.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** What the controls remove. */
interface Fault extends Pick<SimulatedViewerOptions, 'createReport'> {
  /** Whether the page receives the event at the end of a suspension. Default true. */
  readonly isResumeHeard?: boolean;
}

/** A viewer has used a report for ten minutes; its keys have a lifetime of an hour. */
const setUp = async ({ isResumeHeard = true, createReport: create }: Fault = {}) => {
  const agenda = createAgenda();
  const random = createRandom(seed).next;
  const machine = createMachine(agenda, random);
  const answer = () => ({ kind: 'key', lifetimeMs: hour }) as const;
  const viewer = createSimulatedViewer({
    agenda,
    machine,
    random,
    answer,
    ...(create && { createReport: create }),
  });
  const pass = (ms: number) => agenda.runUntil(agenda.now() + ms);
  viewer.mount();
  await pass(10 * minute);
  return {
    viewer,
    pass,
    /** A suspension whose end the page notices, with the clock set back in the meantime. */
    sleep: async (ms: number, backMs: number) => {
      machine.sleep();
      await pass(ms);
      machine.stepWall(-backMs);
      machine.wake(isResumeHeard);
    },
    /** Leaves the page; returns whether it showed an expired key. */
    leave: async () => {
      const isEnded = (viewer.shown()?.until ?? Infinity) < agenda.now();
      viewer.unmount();
      await pass(1);
      return isEnded;
    },
  };
};

/** A clock set back by the duration of the suspension: no clock shows that time has passed. */
const sleepHiddenByTheClock = async (fault?: Fault) => {
  const { pass, sleep, leave } = await setUp(fault);
  await sleep(10 * hour, 10 * hour);
  await pass(40 * second);
  return await leave();
};

/** The lid is closed while a successor loads, and its connection is lost at the end. */
const sleepInSuccession = async (fault?: Fault) => {
  const seen: boolean[] = [];
  // The successor hangs for up to a minute after the suspension.
  for (let rest = 0; rest < minute; rest += 10 * second) {
    const { viewer, pass, sleep, leave } = await setUp(fault);
    while (viewer.report().getSnapshot().frames.length < 2) await pass(100);
    await sleep(2 * hour + rest, 5 * hour);
    await pass(40 * second);
    seen.push(await leave());
  }
  return seen.includes(true);
};

/** A report that accepts no third key while a successor loads. */
const createPatientReport: typeof createReport = (session, ...rest) => {
  const getSnapshot: typeof session.getSnapshot = () => {
    const snapshot = session.getSnapshot();
    const successor = report?.getFrames()[1];
    return successor && snapshot.activeKey ? { ...snapshot, activeKey: successor.key } : snapshot;
  };
  let report: ReturnType<typeof createReport> | undefined;
  report = createReport({ ...session, getSnapshot }, ...rest);
  return report;
};

describe.each([
  ['during which the clock was set back by the same time', sleepHiddenByTheClock, { isResumeHeard: false }],
  [
    'during which a successor lost its connection and the clock was set back',
    sleepInSuccession,
    { createReport: createPatientReport },
  ],
] as const)('a suspension %s', (_, showsEndedKey, fault) => {
  it('leaves no expired key visible', async () => {
    expect(await showsEndedKey()).toBe(false);
  });

  it('control: would leave an expired key visible', async () => {
    expect(await showsEndedKey(fault)).toBe(true);
  });
});
