/** What happens to a report in the course of a day: full screen, sleep, an idle session, drags, prints and a short outage. */
import { expect } from 'vitest';
import type { HostPage } from '../host/main.tsx';
import { keyLifetimeMs, renewalDueMs } from '../host/serveHost.ts';
import {
  advanceClock,
  type Check,
  type CheckContext,
  describeInEngines,
  openSignedIn,
  readRecord,
  readRegions,
  readState,
  shownFrame,
  waitForRegions,
  waitForState,
  waitUntil,
} from './checks.ts';

const countSwaps = (context: CheckContext): Promise<number> =>
  readRecord(context).then(({ calls }) => calls.filter((call) => call === 'swapped').length);

const waitForSwaps = (context: CheckContext, count: number) =>
  waitUntil(
    () => countSwaps(context),
    (swaps) => swaps === count,
  );

const callReport = ({ tab }: CheckContext, name: 'refresh' | 'reload' | 'retry') =>
  tab.evaluate((name: 'refresh' | 'reload' | 'retry') => {
    // The host page sets it.
    (globalThis as unknown as { host: HostPage }).host.report.current?.[name]();
  }, name);

/** Class of the element that fills the screen. */
const waitForFullscreen = ({ tab }: CheckContext, isWanted: boolean) =>
  waitUntil(
    () => tab.evaluate(() => document.fullscreenElement?.className ?? ''),
    (name) => name.includes('vitrine-report') === isWanted,
    5_000,
  );

const fullscreen: Check = {
  title: 'stays in full screen over a renewal, until its button ends it',
  run: async (context) => {
    const { tab } = context;
    await openSignedIn(context, '/?fullscreen');
    await waitForState(context, 'ready');
    await waitForRegions(context);
    await tab.click('.vitrine-bar button');
    await waitForFullscreen(context, true);
    await advanceClock(context, keyLifetimeMs * 0.91);
    await waitForSwaps(context, 1);
    await waitForFullscreen(context, true);
    expect(await waitForRegions(context)).toEqual(['North']);
    await tab.click('.vitrine-bar button');
    await waitForFullscreen(context, false);
  },
};

const minute = 60_000;
const night = 8 * 60 * 60_000;

const sleep: Check = {
  title: 'covers a report whose key has expired while the computer slept, and shows it with a new key',
  run: async (context) => {
    await openSignedIn(context);
    await waitForState(context, 'ready');
    await waitForRegions(context);
    await advanceClock(context, night);
    await waitUntil(
      () => readRecord(context),
      ({ keys }) => keys.length === 2,
    );
    await waitForState(context, 'ready');
    expect(await waitForRegions(context)).toEqual(['North']);
    expect((await readRecord(context)).states).toEqual(['loading', 'ready', 'loading', 'ready']);
  },
};

const idleSession: Check = {
  title:
    'is removed at its renewal when the session has been idle, and comes back when the viewer tries again',
  continues: true, // after sleep
  run: async (context) => {
    const { tab, host } = context;
    host.isIdle = true;
    try {
      await advanceClock(context, renewalDueMs);
      await waitForState(context, 'failed signed_out');
      expect(await tab.evaluate(() => document.querySelectorAll('iframe').length)).toBe(0);
      // A viewer's request counts as activity.
      await callReport(context, 'retry');
      await waitForState(context, 'ready');
    } finally {
      host.isIdle = false;
    }
  },
};

/** What lies under the middle of the frame. */
const readMiddle = ({ tab }: CheckContext, pointerEvents: string) =>
  tab.evaluate(
    (selector: string, value: string) => {
      const frame = document.querySelector<HTMLIFrameElement>(selector);
      if (!frame) return 'absent';
      frame.style.pointerEvents = value;
      const { left, top, width, height } = frame.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2)?.tagName ?? 'nothing';
    },
    shownFrame,
    pointerEvents,
  );

const drag: Check = {
  title: 'lets the pointer of a drag through with `pointer-events: none`',
  continues: true, // after idleSession
  run: async (context) => {
    await waitForRegions(context);
    expect(await readMiddle(context, 'none')).toBe('DIV');
    expect(await readMiddle(context, '')).toBe('IFRAME');
  },
};

const badGateway: Check = {
  title: 'shows the page of a proxy that answers 502 for the report at a renewal, until `reload()`',
  continues: true, // after drag
  run: async (context) => {
    const { host } = context;
    const before = await countSwaps(context);
    host.served.outage = 'bad gateway';
    try {
      await advanceClock(context, renewalDueMs);
      await waitForSwaps(context, before + 1);
      await waitForState(context, 'ready');
      expect(await readRegions(context)).toEqual([]);
    } finally {
      host.served.outage = undefined;
    }
    await callReport(context, 'reload');
    await waitForSwaps(context, before + 2);
    expect(await waitForRegions(context)).toEqual(['North']);
  },
};

const noResponse: Check = {
  fails: { chromium: /Still "ready"/ },
  title:
    'stays when the portal does not respond at a renewal, until `refresh()` or the end of its key loads it again',
  continues: true, // after badGateway
  run: async (context) => {
    const { tab, host } = context;
    const ways = [() => callReport(context, 'refresh'), () => advanceClock(context, minute)];
    for (const loadAgain of ways) {
      const before = await countSwaps(context);
      host.served.outage = 'no response';
      try {
        const { keys } = await readRecord(context);
        await advanceClock(context, renewalDueMs);
        await waitUntil(
          () => readRecord(context),
          (record) => record.keys.length > keys.length,
        );
        // The frame of the new key is there.
        await tab.evaluate(
          () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
        );
        // Beyond the time in which a frame may load.
        await advanceClock(context, 25_000);
        await waitUntil(
          () => readState(context),
          (state) => state === 'degraded frame_slow',
          5_000,
        );
        expect(await waitForRegions(context)).toEqual(['North']);
      } finally {
        host.served.outage = undefined;
      }
      await loadAgain();
      await waitForSwaps(context, before + 1);
      await waitForState(context, 'ready');
      expect(await waitForRegions(context)).toEqual(['North']);
    }
  },
};

describeInEngines([fullscreen, sleep, idleSession, drag, badGateway, noResponse]);
