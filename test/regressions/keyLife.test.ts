import { describe, expect, it } from 'vitest';
import { createAgenda } from '../support/simulation/agenda.ts';
import { createMachine } from '../support/simulation/machine.ts';
import { loadLifeParts } from '../support/simulation/mutant.ts';
import { createRandom } from '../support/simulation/random.ts';
import { type BackendAnswer, createSimulatedViewer } from '../support/simulation/simulatedViewer.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** A viewer whose backend gives keys of an hour, unless told otherwise. */
const setUp = async () => {
  const agenda = createAgenda();
  const random = createRandom(11);
  const machine = createMachine(agenda, random);
  let answer: BackendAnswer = { kind: 'key', lifetimeMs: hour };
  const parts = await loadLifeParts();
  const viewer = createSimulatedViewer({ parts, agenda, machine, random, answer: () => answer });
  return {
    machine,
    viewer,
    answers: (next: BackendAnswer) => {
      answer = next;
    },
    pass: (ms: number) => agenda.runUntil(agenda.now() + ms),
    /** Whether a key that truly works is shown. */
    isGood: () => (viewer.shown()?.until ?? 0) > agenda.now(),
  };
};

const key: BackendAnswer = { kind: 'key', lifetimeMs: hour };
const down: BackendAnswer = { kind: 'status', status: 503, code: 'portal_unavailable' };

describe('faults that other embedding and token libraries had', () => {
  it('B1: one rejected request does not end the renewal for ever', async () => {
    const { viewer, answers, pass, isGood } = await setUp();
    answers(down);
    viewer.mount();
    await pass(5 * second);
    answers(key);
    await pass(minute);
    expect(isGood()).toBe(true);
    for (let hours = 0; hours < 10; hours += 1) {
      answers(down);
      await pass(50 * minute);
      answers(key);
      await pass(10 * minute);
      expect(isGood()).toBe(true);
    }
  });

  it('B2, B20: a clock a day wrong, or set in mid-life, shows no expired key', async () => {
    for (const step of [-24 * hour, -hour, hour, 24 * hour]) {
      const { viewer, machine, pass, isGood } = await setUp();
      viewer.mount();
      await pass(30 * minute);
      machine.stepWall(step);
      for (let minutes = 0; minutes < 180; minutes += 1) {
        await pass(minute);
        expect(isGood()).toBe(true);
      }
    }
  });

  it('B3: a request that never settles is given up, and nothing is left after the last one leaves', async () => {
    const { viewer, machine, answers, pass, isGood } = await setUp();
    answers({ kind: 'hang' });
    viewer.mount();
    await pass(5 * second);
    answers(key);
    await pass(minute);
    expect(isGood()).toBe(true);
    viewer.unmount();
    await pass(second);
    expect(machine.timerCount()).toBe(0);
  });

  it('B4: a viewer who is signed out asks once, not again and again', async () => {
    const { viewer, answers, pass } = await setUp();
    answers({ kind: 'status', status: 401, code: 'signed_out' });
    viewer.mount();
    await pass(2 * hour);
    expect(viewer.attempts).toHaveLength(1);
  });

  it('B6, B17: a first failure and a long idle night leave a viewer who still gets keys', async () => {
    const { viewer, machine, answers, pass, isGood } = await setUp();
    answers(down);
    viewer.mount();
    await pass(3 * second);
    machine.setVisible(false);
    await pass(12 * hour);
    answers(key);
    machine.setVisible(true);
    await pass(minute);
    expect(isGood()).toBe(true);
    expect(viewer.attempts.length).toBeLessThan(12 * 40);
  });

  it('B8: a key that was shown is not used again after a remount', async () => {
    const { viewer, pass } = await setUp();
    viewer.mount();
    await pass(minute);
    viewer.unmount();
    await pass(minute);
    viewer.mount();
    await pass(minute);
    expect(viewer.keys).toHaveLength(2);
  });

  it('B9, B10: a sleep of any length, with a dead network after it, ends with a good report within 40 seconds', async () => {
    for (const asleep of [second, minute, hour, 72 * hour])
      for (const isHeard of [true, false]) {
        const { viewer, machine, answers, pass, isGood } = await setUp();
        viewer.mount();
        await pass(30 * minute);
        machine.sleep();
        await pass(asleep);
        answers({ kind: 'unreachable' });
        machine.wake(isHeard);
        await pass(45 * second);
        answers(key);
        await pass(41 * second);
        expect(isGood()).toBe(true);
      }
  });

  it('B12: an outage inside the refresh window keeps the report and asks seldom', async () => {
    const { viewer, answers, pass, isGood } = await setUp();
    viewer.mount();
    await pass(40 * minute);
    answers(down);
    await pass(15 * minute);
    expect(isGood()).toBe(true);
    expect(viewer.attempts.length).toBeLessThan(20);
  });

  it('B13: there is one timer, whatever has happened', async () => {
    const { viewer, machine, answers, pass } = await setUp();
    viewer.mount();
    for (const next of [key, down, { kind: 'hang' } as const, key]) {
      answers(next);
      await pass(55 * minute);
      machine.setVisible(false);
      machine.setVisible(true);
      expect(machine.timerCount()).toBeLessThanOrEqual(1);
    }
  });

  it('B15: being offline takes no good report away', async () => {
    const { viewer, machine, answers, pass, isGood } = await setUp();
    viewer.mount();
    await pass(minute);
    machine.setOnline(false);
    answers({ kind: 'unreachable' });
    await pass(58 * minute);
    expect(isGood()).toBe(true);
  });

  it('B5, B16, B19: lifetimes of nothing, or longer than a timer can count, make no loop', async () => {
    for (const lifetimeMs of [0, -1, 1, Number.NaN, 2 ** 31 - 1, 2 ** 31, 1e15]) {
      const { viewer, machine, answers, pass } = await setUp();
      answers({ kind: 'key', lifetimeMs });
      viewer.mount();
      await pass(10 * minute);
      expect(viewer.attempts.length).toBeLessThan(60);
      expect(machine.longestDelayMs()).toBeLessThanOrEqual(30 * second);
    }
  });

  it('B21: a shown key always has time left', async () => {
    const { viewer, pass, isGood } = await setUp();
    viewer.mount();
    await pass(5 * second);
    for (let step = 0; step < 2_000; step += 1) {
      await pass(17 * second);
      expect(isGood()).toBe(true);
    }
  });

  it('B27: a Retry-After of any kind is honoured at most five minutes', async () => {
    for (const retryAfterMs of [0, 1e9 * second, 120 * second]) {
      const { viewer, answers, pass } = await setUp();
      answers({ kind: 'status', status: 429, code: 'rate_limited', retryAfterMs });
      viewer.mount();
      await pass(6 * minute);
      expect(viewer.attempts.length).toBeGreaterThan(1);
      expect(viewer.attempts.length).toBeLessThan(40);
    }
  });
});
