import { describe, expect, it } from 'vitest';
import { createHandMadeViewer } from '../regressions/handMadeViewer.ts';
import { createRandom } from '../support/createRandom.ts';
import { seed } from '../support/seed.ts';
import { createAgenda } from '../support/simulation/agenda.ts';
import { createMachine } from '../support/simulation/machine.ts';
import {
  type BackendAnswer,
  type CreateViewer,
  createSimulatedViewer,
} from '../support/simulation/simulatedViewer.ts';
import { isLong, sized } from '../support/size.ts';

/** The results of one simulation. */
interface SimulationResult {
  readonly seed: number;
  readonly hours: number;
  /** Milliseconds in which a visible, running page showed an expired key although the backend had worked for 40 s. */
  readonly staleMs: number;
  /** The same after suspensions during which the wall clock is set back: no clock of a page measures them. */
  readonly unseenMs: number;
  /** The maximum for such suspensions: the lifetime of one key each. */
  readonly unseenMsAllowed: number;
  readonly keys: number;
  /** The maximum of keys, including remounts and returns to the page. */
  readonly keysAllowed: number;
  /** Requests less than a second after another, without a clock set forward between them. */
  readonly tooSoon: number;
  /** Requests in the busiest five minutes. */
  readonly busiestFiveMinutes: number;
  readonly longestDelayMs: number;
  readonly timersLeft: number;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const allowanceMs = 40 * second;

/**
 * Simulates one viewer: hidden windows, closed lids, changed clocks, failing networks and backends, pages left and
 * opened.
 */
const simulateRandomViewer = async (
  seed: number,
  hours: number,
  createViewer: CreateViewer = createSimulatedViewer,
): Promise<SimulationResult> => {
  const random = createRandom(seed).next;
  const pick = (from: number, to: number) => from + random() * (to - from);
  const agenda = createAgenda();
  const machine = createMachine(agenda, random, pick(-2e-4, 2e-4));
  const lifetimeMs = pick(2, 60) * minute;
  let mode: BackendAnswer['kind'] | 'rate' = 'key';
  let isNetworkUp = true;
  let wellSince = 0;
  const forwardSteps: number[] = [];
  let reasons = 1;

  const answer = (): BackendAnswer => {
    if (!isNetworkUp) return { kind: 'unreachable' };
    if (mode === 'rate')
      return { kind: 'status', status: 429, code: 'rate_limited', retryAfterMs: pick(1, 120) * second };
    if (mode === 'status') return { kind: 'status', status: 503, code: 'portal_unavailable' };
    return mode === 'key' ? { kind: 'key', lifetimeMs } : { kind: mode };
  };
  const viewer = createViewer({ agenda, machine, random, answer });

  let staleMs = 0;
  let unseenMs = 0;
  let unseenSleeps = 0;
  let unseenAt = -Infinity;
  agenda.onPass((from, to) => {
    const shown = viewer.shown();
    if (!shown || !machine.isAwake() || !machine.isVisible() || !isNetworkUp || mode !== 'key') return;
    const ms = to - Math.max(from, shown.until, wellSince + allowanceMs);
    if (ms <= 0) return;
    if (shown.from < unseenAt) unseenMs += ms;
    else staleMs += ms;
  });

  const well = () => {
    wellSince = agenda.now();
  };
  const later = (ms: number, run: () => void) => agenda.at(agenda.now() + ms, run);
  const events: readonly (() => number)[] = [
    // The page is visible for a while.
    () => pick(1, 180) * minute,
    () => {
      machine.setVisible(false);
      const ms = pick(1, 300) * minute;
      later(ms, () => {
        machine.setVisible(true);
        reasons += 1;
        well();
      });
      return ms;
    },
    () => {
      machine.sleep();
      const ms = 2 ** pick(0, 18) * second;
      const isHeard = random() < 0.5;
      const stepMs = random() < 0.2 ? pick(-24, 24) * hour : 0;
      later(ms, () => {
        machine.stepWall(stepMs);
        if (stepMs > 0) forwardSteps.push(agenda.now());
        if (stepMs < 0) {
          unseenAt = agenda.now();
          unseenSleeps += 1;
        }
        isNetworkUp = false;
        machine.wake(isHeard);
        reasons += 1;
        well();
        later(pick(0, 60) * second, () => {
          isNetworkUp = true;
          well();
          if (random() < 0.5) machine.setOnline(true);
        });
      });
      return ms + minute;
    },
    () => {
      const ms = pick(-24, 24) * hour;
      machine.stepWall(ms);
      reasons += 1;
      if (ms > 0) forwardSteps.push(agenda.now());
      return minute;
    },
    () => {
      machine.setOnline(false);
      isNetworkUp = false;
      const ms = 2 ** pick(0, 12) * second;
      later(ms, () => {
        isNetworkUp = true;
        well();
        machine.setOnline(true);
      });
      return ms;
    },
    () => {
      mode = (['status', 'rate', 'hang', 'unreachable'] as const)[Math.floor(random() * 4)]!;
      const wasMode = mode;
      const ms = 2 ** pick(0, 12) * second;
      later(ms, () => {
        mode = 'key';
        // The Retry-After of the backend is respected after its recovery.
        wellSince = agenda.now() + (wasMode === 'rate' ? 120 * second : 0);
      });
      return ms;
    },
    () => {
      viewer.unmount();
      const ms = pick(0, 5) * minute;
      later(ms, () => {
        viewer.mount();
        reasons += 1;
        well();
      });
      return ms;
    },
  ];

  viewer.mount();
  const end = hours * hour;
  while (agenda.now() < end) {
    const event = events[random() < 0.4 ? 0 : Math.floor(random() * events.length)]!;
    const ms = event();
    await agenda.runUntil(agenda.now() + ms + minute);
  }
  viewer.unmount();
  await agenda.runUntil(agenda.now() + 1);

  return {
    seed,
    hours: agenda.now() / hour,
    staleMs,
    unseenMs,
    unseenMsAllowed: unseenSleeps * lifetimeMs,
    keys: viewer.keys.length,
    keysAllowed: agenda.now() / (0.7 * lifetimeMs) + 1 + reasons,
    tooSoon: countTooSoon(viewer.attempts, forwardSteps),
    busiestFiveMinutes: busiest(viewer.attempts, 5 * minute),
    longestDelayMs: machine.longestDelayMs(),
    timersLeft: machine.timerCount(),
  };
};

/** The wall clock of a machine may run slightly fast. */
const nearlySecondMs = 990;

const countTooSoon = (times: readonly number[], forwardSteps: readonly number[]) =>
  times.filter((time, index) => {
    const before = times[index - 1] ?? -Infinity;
    return time - before < nearlySecondMs && !forwardSteps.some((step) => step >= before && step <= time);
  }).length;

const busiest = (times: readonly number[], windowMs: number) => {
  let most = 0;
  let first = 0;
  for (const [index, time] of times.entries()) {
    while (time - times[first]! >= windowMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
};

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
