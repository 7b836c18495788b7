import { describe, expect, it } from 'vitest';
import { createRandom } from '../support/createRandom.ts';
import { createAgenda } from '../support/simulation/agenda.ts';
import { createMachine } from '../support/simulation/machine.ts';
import { type BackendAnswer, createSimulatedViewer } from '../support/simulation/simulatedViewer.ts';
import { createHandMadeViewer, type Habit } from './handMadeViewer.ts';
import { onlyOurs } from './onlyOurs.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** A viewer whose backend issues keys of an hour by default: ours, or a control with a habit. */
const setUp = (habit?: Habit) => {
  const agenda = createAgenda();
  const random = createRandom(11).next;
  const machine = createMachine(agenda, random);
  let answer: BackendAnswer = { kind: 'key', lifetimeMs: hour };
  const options = { agenda, machine, random, answer: () => answer };
  const viewer = habit ? createHandMadeViewer(options, habit) : createSimulatedViewer(options);
  return {
    machine,
    viewer,
    answers: (next: BackendAnswer) => {
      answer = next;
    },
    pass: (ms: number) => agenda.runUntil(agenda.now() + ms),
    /** Whether a working key is shown. */
    isGood: () => (viewer.shown()?.until ?? 0) > agenda.now(),
  };
};

const key: BackendAnswer = { kind: 'key', lifetimeMs: hour };
const down: BackendAnswer = { kind: 'status', status: 503, code: 'portal_unavailable' };

type Create = () => Promise<ReturnType<typeof setUp>>;

/** Runs a check with our viewer, and with the control that has the habit. */
const compare = async <TFacts>(habit: Habit, check: (create: Create) => Promise<TFacts>) => {
  let leave = async () => {};
  const play = async (own?: Habit) => {
    const facts = await check(async () => {
      await leave();
      const page = setUp(own);
      leave = async () => page.viewer.unmount();
      return page;
    });
    await leave();
    return facts;
  };
  return { ours: await play(), control: await play(habit) };
};

describe('faults of other embedding and token libraries, tested with our viewer and a hand-written one', () => {
  it('keeps renewing after one failed request', async () => {
    const findings = await compare('gives up', async (create) => {
      const { viewer, answers, pass, isGood } = await create();
      answers(down);
      viewer.mount();
      await pass(5 * second);
      answers(key);
      await pass(minute);
      const goods = [isGood()];
      for (let hours = 0; hours < 10; hours += 1) {
        answers(down);
        await pass(50 * minute);
        answers(key);
        await pass(10 * minute);
        goods.push(isGood());
      }
      return { isAlwaysGood: goods.every(Boolean) };
    });
    expect(findings).toEqual(onlyOurs({ isAlwaysGood: true }));
  });

  it('shows no expired key when the clock is a day off or is changed while the report is open', async () => {
    const findings = await compare('gives up', async (create) => {
      let expired = 0;
      for (const step of [-24 * hour, -hour, hour, 24 * hour]) {
        const { viewer, machine, pass, isGood } = await create();
        viewer.mount();
        await pass(30 * minute);
        machine.stepWall(step);
        for (let minutes = 0; minutes < 180; minutes += 1) {
          await pass(minute);
          if (!isGood()) expired += 1;
        }
      }
      return { expired };
    });
    expect(findings).toEqual(onlyOurs({ expired: 0 }));
  });

  it('aborts a request that never settles, and leaves nothing behind after the last report unmounts', async () => {
    const findings = await compare('gives up', async (create) => {
      const { viewer, machine, answers, pass, isGood } = await create();
      answers({ kind: 'hang' });
      viewer.mount();
      await pass(5 * second);
      answers(key);
      await pass(minute);
      const isShown = isGood();
      viewer.unmount();
      await pass(second);
      return { isShown, timers: machine.timerCount() };
    });
    expect(findings).toEqual(onlyOurs({ isShown: true, timers: 0 }));
  });

  it('requests once, not repeatedly, for a signed-out viewer', async () => {
    const findings = await compare('retries at once', async (create) => {
      const { viewer, answers, pass } = await create();
      answers({ kind: 'status', status: 401, code: 'signed_out' });
      viewer.mount();
      await pass(2 * hour);
      return { attempts: viewer.attempts.length };
    });
    expect(findings).toEqual(onlyOurs({ attempts: 1 }));
  });

  it('still gets keys after a first failure and a long idle time', async () => {
    const findings = await compare('gives up', async (create) => {
      const { viewer, machine, answers, pass, isGood } = await create();
      answers(down);
      viewer.mount();
      await pass(3 * second);
      machine.setVisible(false);
      await pass(12 * hour);
      answers(key);
      machine.setVisible(true);
      await pass(minute / 2);
      return { isGood: isGood(), isThrifty: viewer.attempts.length < 12 * 40 };
    });
    expect(findings).toEqual(onlyOurs({ isGood: true, isThrifty: true }));
  });

  it('does not reuse an old key after a remount', async () => {
    const findings = await compare('gives up', async (create) => {
      const { viewer, pass } = await create();
      viewer.mount();
      await pass(second);
      viewer.unmount();
      await pass(second);
      const before = viewer.keys.length;
      viewer.mount();
      await pass(minute);
      return { newKeys: viewer.keys.length - before };
    });
    expect(findings).toEqual(onlyOurs({ newKeys: 1 }));
  });

  it('shows a working report within 40 seconds after a suspension of any length and a network outage', async () => {
    const findings = await compare('gives up', async (create) => {
      let bad = 0;
      for (const asleep of [second, minute, hour, 72 * hour])
        for (const hasResumeEvent of [true, false]) {
          const { viewer, machine, answers, pass, isGood } = await create();
          viewer.mount();
          await pass(30 * minute);
          machine.sleep();
          await pass(asleep);
          answers({ kind: 'unreachable' });
          machine.wake(hasResumeEvent);
          await pass(45 * second);
          answers(key);
          await pass(41 * second);
          if (!isGood()) bad += 1;
        }
      return { bad };
    });
    expect(findings).toEqual(onlyOurs({ bad: 0 }));
  });

  it('keeps the report and makes few requests during an outage in the renewal window', async () => {
    const findings = await compare('retries at once', async (create) => {
      const { viewer, answers, pass, isGood } = await create();
      viewer.mount();
      await pass(40 * minute);
      answers(down);
      await pass(15 * minute);
      return { isGood: isGood(), isThrifty: viewer.attempts.length < 20 };
    });
    expect(findings).toEqual(onlyOurs({ isGood: true, isThrifty: true }));
  });

  it('holds at most two timers in every situation: its own, and the limit of a request', async () => {
    const findings = await compare('gives up', async (create) => {
      const { viewer, machine, answers, pass } = await create();
      viewer.mount();
      let most = 0;
      for (const next of [key, down, { kind: 'hang' } as const, key]) {
        answers(next);
        await pass(55 * minute);
        machine.setVisible(false);
        machine.setVisible(true);
        most = Math.max(most, machine.timerCount());
      }
      return { areFew: most <= 2 };
    });
    expect(findings).toEqual(onlyOurs({ areFew: true }));
  });

  it('keeps a working report while the browser is offline', async () => {
    const findings = await compare('gives up', async (create) => {
      const { viewer, machine, answers, pass, isGood } = await create();
      viewer.mount();
      await pass(minute);
      machine.setOnline(false);
      answers({ kind: 'unreachable' });
      // A viewer switches to another tab and back, which often triggers a request.
      machine.setVisible(false);
      machine.setVisible(true);
      await pass(58 * minute);
      return { isGood: isGood() };
    });
    expect(findings).toEqual(onlyOurs({ isGood: true }));
  });

  it('does not loop with a lifetime of zero or one that overflows a timer', async () => {
    const findings = await compare('gives up', async (create) => {
      let loops = 0;
      for (const lifetimeMs of [0, -1, 1, Number.NaN, 2 ** 31 - 1, 2 ** 31, 1e15]) {
        const { viewer, machine, answers, pass } = await create();
        answers({ kind: 'key', lifetimeMs });
        viewer.mount();
        await pass(10 * minute);
        if (viewer.attempts.length >= 60 || machine.longestDelayMs() > 30 * second) loops += 1;
      }
      return { loops };
    });
    expect(findings).toEqual(onlyOurs({ loops: 0 }));
  });

  it('shows only keys with remaining time', async () => {
    const findings = await compare('gives up', async (create) => {
      const { viewer, pass, isGood } = await create();
      viewer.mount();
      await pass(5 * second);
      let ended = 0;
      for (let step = 0; step < 2_000; step += 1) {
        await pass(17 * second);
        if (!isGood()) ended += 1;
      }
      return { ended };
    });
    expect(findings).toEqual(onlyOurs({ ended: 0 }));
  });

  it('respects Retry-After for at most five minutes', async () => {
    const findings = await compare('gives up', async (create) => {
      let wrong = 0;
      for (const retryAfterMs of [0, 1e9 * second, 120 * second]) {
        const { viewer, answers, pass } = await create();
        answers({ kind: 'status', status: 429, code: 'rate_limited', retryAfterMs });
        viewer.mount();
        await pass(6 * minute);
        if (viewer.attempts.length < 2 || viewer.attempts.length >= 40) wrong += 1;
      }
      return { wrong };
    });
    expect(findings).toEqual(onlyOurs({ wrong: 0 }));
  });
});
