import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { createCanaryScanner } from '../../support/findCanary.ts';
import { renewalDueMs } from '../host/serveHost.ts';
import {
  advanceClock,
  ask,
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

const signIn: Check = {
  title: 'shows the report in a cross-origin frame after signing in',
  run: async (context) => {
    await openSignedIn(context);
    await waitForState(context, 'ready');
    expect(await waitForRegions(context)).toEqual(['North']);
    const isClosed = await context.tab.evaluate(
      (selector: string) => document.querySelector<HTMLIFrameElement>(selector)?.contentDocument === null,
      shownFrame,
    );
    expect(isClosed).toBe(true);
  },
};

const workInside: Check = {
  fails: { webkit: /expected \[ '' \] to deeply equal/ },
  title:
    'tells the page with `focusin` when the viewer clicks into the report, so that menus close and idle timers restart',
  continues: true, // after signIn
  run: async (context) => {
    const { tab } = context;
    await waitForRegions(context);
    await tab.evaluate(() => {
      document.body.dataset['focused'] = '';
      for (const type of ['focus', 'focusin'])
        document.addEventListener(
          type,
          ({ target }) => {
            if (target instanceof HTMLIFrameElement) document.body.dataset['focused'] += ` ${type}`;
          },
          true,
        );
    });
    await tab.frame(shownFrame).click('h1');
    // Firefox tells the window a little later.
    await vi.waitFor(
      async () => {
        const focused = await tab.evaluate(() => document.body.dataset['focused'] ?? '');
        expect(focused.trim().split(' ').toSorted()).toEqual(['focus', 'focusin']);
      },
      { timeout: 2_000 },
    );
  },
};

/** Enough for both frames to take their turn. */
const renewals = 2;

const renewal: Check = {
  title: 'renews the report without blanking it and without history entries',
  continues: true, // after signIn
  run: async (context) => {
    const { tab } = context;
    const entries = await tab.evaluate(() => history.length);
    for (let count = 1; count <= renewals; count += 1) {
      await advanceClock(context, renewalDueMs);
      await waitUntil(
        () => readRecord(context),
        ({ calls }) => calls.filter((call) => call === 'swapped').length === count,
      );
      await waitForState(context, 'ready');
      expect(await readRegions(context)).toEqual(['North']);
    }
    expect(await tab.evaluate(() => history.length)).toBe(entries);
    const { keys, blankMoments, endedMoments, calls } = await readRecord(context);
    expect({ keys: keys.length, blankMoments, endedMoments }).toEqual({
      keys: renewals + 1,
      blankMoments: 0,
      endedMoments: 0,
    });
    expect(calls.filter((call) => call.startsWith('onError'))).toEqual([]);
  },
};

const errorAndRetry: Check = {
  title: 'shows an error when no key arrives, and the report after "Try again"',
  run: async (context) => {
    const { tab, host } = context;
    host.isProxyDown = true;
    try {
      await openSignedIn(context);
      await waitForState(context, 'failed http_502');
      expect(await tab.evaluate(() => document.querySelectorAll('iframe').length)).toBe(0);
      expect(await tab.evaluate(() => document.querySelector('[role="alert"]')?.textContent)).toBeTruthy();
    } finally {
      host.isProxyDown = false;
    }
    await tab.click('[role="alert"] button');
    await waitForState(context, 'ready');
    expect(await waitForRegions(context)).toEqual(['North']);
  },
};

/** Names of the places outside the report's own frame that contain a part of a key. */
const findLeaks = async (context: CheckContext): Promise<string[]> => {
  const { tab } = context;
  const { keys, recorded } = await ask(() => readRecord(context));
  const scanner = createCanaryScanner(...keys);
  const places = {
    document: [...recorded.document, await ask(() => tab.evaluate(() => document.documentElement.outerHTML))],
    'Resource Timing': [await ask(() => tab.evaluate(() => JSON.stringify(performance.getEntries())))],
    PerformanceObserver: recorded.timing,
    storage: [
      await ask(() =>
        tab.evaluate(async () =>
          JSON.stringify([
            localStorage,
            sessionStorage,
            document.cookie,
            await indexedDB.databases(),
            // Not offered to pages without TLS everywhere.
            await globalThis.caches?.keys(),
          ]),
        ),
      ),
    ],
    console: [...recorded.console, ...tab.heard],
    history: [
      await ask(() =>
        tab.evaluate(() =>
          JSON.stringify([
            location.href,
            history.state,
            window.name,
            // The address that the next page receives as its referrer.
            document.referrer,
          ]),
        ),
      ),
    ],
  };
  return Object.entries(places)
    .filter(([, texts]) => scanner.find(texts.join('\n')) !== undefined)
    .map(([place]) => place);
};

/** Shows a report with a second key. */
const renewAndSearch = async (context: CheckContext): Promise<string[]> => {
  await advanceClock(context, renewalDueMs);
  await waitUntil(
    () => readRecord(context),
    ({ calls }) => calls.includes('swapped'),
  );
  await waitForState(context, 'ready');
  return findLeaks(context);
};

const concealKey: Check = {
  title: 'keeps the key out of the page with concealKey',
  run: async (context) => {
    await openSignedIn(context, '/?conceal');
    await waitForRegions(context);
    await waitForState(context, 'ready');
    expect(await renewAndSearch(context)).toEqual([]);
  },
};

const openKey: Check = {
  title: 'control: the same search finds the key without concealKey',
  isControl: true,
  continues: true, // after errorAndRetry
  run: async (context) => {
    expect(await renewAndSearch(context)).toEqual(
      expect.arrayContaining(['document', 'Resource Timing', 'PerformanceObserver']),
    );
  },
};

const frameBlocked: Check = {
  title: 'shows an error when the page’s policy blocks the frame, without calling onLoad',
  needs: { isWhole: true },
  run: async (context) => {
    await openSignedIn(context, '/?policy=blocked');
    await waitForState(context, 'failed frame_blocked');
    // Chromium fires `load` on a blocked frame a little later.
    await delay(300);
    expect(await readState(context)).toBe('failed frame_blocked');
    expect((await readRecord(context)).calls).toEqual(['onError frame_blocked']);
  },
};

/** No timeout starts before the frame exists. */
const waitForFrame = ({ tab }: CheckContext) =>
  waitUntil(
    () => tab.evaluate(() => document.querySelector('iframe') !== null),
    (isThere) => isThere,
  );

const noCredentialless = /no frames without credentials: frame_slow/;

const isolatedPage: Check = {
  fails: { firefox: noCredentialless, webkit: noCredentialless },
  title: 'shows the report of a portal that has not opted in on a cross-origin isolated page',
  run: async (context) => {
    const { tab } = context;
    await openSignedIn(context, '/?policy=isolated');
    expect(await tab.evaluate(() => crossOriginIsolated)).toBe(true);
    if (!(await tab.evaluate(() => 'credentialless' in HTMLIFrameElement.prototype))) {
      await waitForFrame(context);
      await advanceClock(context, 60_000);
      await waitForState(context, 'failed frame_slow');
      throw new Error('The engine has no frames without credentials: frame_slow.');
    }
    await waitForState(context, 'ready');
    expect(await waitForRegions(context)).toEqual(['North']);
  },
};

const isolatedPageOptedIn: Check = {
  title: 'shows the report of a portal that has opted in on a cross-origin isolated page',
  run: async (context) => {
    const { tab, host } = context;
    host.served.hasOptedIn = true;
    try {
      await openSignedIn(context, '/?policy=isolated');
      expect(await tab.evaluate(() => crossOriginIsolated)).toBe(true);
      await waitForState(context, 'ready');
      expect(await waitForRegions(context)).toEqual(['North']);
    } finally {
      host.served.hasOptedIn = false;
    }
  },
};

const lazy: Check = {
  title: 'requests nothing until a lazy report is near the viewport',
  run: async (context) => {
    const { tab } = context;
    await openSignedIn(context, '/?view=lazy');
    await waitForState(context, 'idle');
    // Two animation frames: an observer has reported by then.
    await tab.evaluate(() =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() => true),
    );
    expect((await readRecord(context)).keys).toEqual([]);
    await waitForState(context, 'idle');
    await tab.evaluate(() => document.querySelector('[data-state]')?.scrollIntoView());
    await waitForState(context, 'ready');
  },
};

const consentManager: Check = {
  title: 'is renewed on a page whose consent manager has replaced its frame',
  run: async (context) => {
    const { tab } = context;
    await openSignedIn(context);
    await waitForState(context, 'ready');
    await tab.evaluate(() => document.querySelector('iframe')?.replaceWith(document.createElement('p')));
    await advanceClock(context, renewalDueMs);
    await waitUntil(
      () => readRecord(context),
      ({ calls }) => calls.includes('swapped'),
    );
    await waitForState(context, 'ready');
    expect(await tab.evaluate(() => document.querySelectorAll('iframe').length)).toBe(1);
  },
};

const setDisplay = ({ tab }: CheckContext, display: string) =>
  tab.evaluate((display: string) => {
    const app = document.getElementById('root');
    if (app) app.style.display = display;
    return [...document.querySelectorAll('iframe')].map(({ name }) => name);
  }, display);

const hiddenTab: Check = {
  title: 'renews its key in a tab with display: none, and loads the new frame once the tab is shown',
  run: async (context) => {
    const { tab } = context;
    await openSignedIn(context);
    await waitForState(context, 'ready');
    const before = await setDisplay(context, 'none');
    expect(before).toHaveLength(1);
    await advanceClock(context, renewalDueMs);
    await waitUntil(
      () => readRecord(context),
      ({ keys }) => keys.length === 2,
    );
    // Whatever follows the key: a frame would appear in the same turn.
    await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)).then(() => true));
    expect(await setDisplay(context, '')).toEqual(before);
    await waitUntil(
      () => readRecord(context),
      ({ calls }) => calls.includes('swapped'),
    );
    expect(await waitForRegions(context)).toEqual(['North']);
  },
};

const colorScheme: Check = {
  fails: { webkit: /"isDark":false/ },
  title: 'turns dark and light with the `color-scheme` of the host, without loading the report again',
  continues: true, // after signIn
  run: async (context) => {
    const { tab } = context;
    await waitForRegions(context);
    const readFrame = () =>
      tab.frame(shownFrame).evaluate(() => ({
        isDark: matchMedia('(prefers-color-scheme: dark)').matches,
        startedAt: performance.timeOrigin,
        background: getComputedStyle(document.body).backgroundColor,
      }));
    const setScheme = async (scheme: string) => {
      await tab.evaluate((value: string) => {
        document.documentElement.style.colorScheme = value;
      }, scheme);
      // The media query follows at once, or never.
      return waitUntil(readFrame, ({ isDark }) => isDark === (scheme === 'dark'), 5_000);
    };
    const light = await setScheme('light');
    const dark = await setScheme('dark');
    expect(dark.startedAt).toBe(light.startedAt);
    expect(dark.background).not.toBe(light.background);
    await setScheme('light');
  },
};

/** The width in which the report lays itself out, and the width on the page. */
const readWidths = async (context: CheckContext) => {
  const { tab } = context;
  await waitForState(context, 'ready');
  await waitForRegions(context);
  return {
    inside: await tab.frame(shownFrame).evaluate(() => innerWidth),
    outside: await tab.evaluate(
      (selector: string) => document.querySelector(selector)?.getBoundingClientRect().width,
      shownFrame,
    ),
  };
};

const scaled: Check = {
  title: 'fits a wide report in a narrow column with `transform: scale()`',
  run: async (context) => {
    await openSignedIn(context, '/?view=scaled');
    // The root has a border of a pixel.
    expect(await readWidths(context)).toEqual({ inside: 638, outside: 319 });
  },
};

const zoomedOut: Check = {
  fails: { webkit: /expected 3\d\d to be greater than 600/ },
  title: 'fits a wide report in a narrow column with CSS `zoom`',
  run: async (context) => {
    await openSignedIn(context, '/?view=scaled&zoom');
    expect((await readWidths(context)).inside).toBeGreaterThan(600);
  },
};

describeInEngines([
  scaled,
  zoomedOut,
  signIn,
  workInside,
  colorScheme,
  renewal,
  errorAndRetry,
  openKey,
  frameBlocked,
  isolatedPage,
  isolatedPageOptedIn,
  lazy,
  concealKey,
  consentManager,
  hiddenTab,
]);
