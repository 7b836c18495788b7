import { expect } from 'vitest';
import type { Tab } from '../../support/engines/engine.ts';
import { keyLifetimeMs, renewalDueMs } from '../host/serveHost.ts';
import {
  advanceClock,
  ask,
  type Check,
  type CheckContext,
  describeInEngines,
  openSignedIn,
  readRecord,
  shownFrame,
  waitForRegions,
  waitForState,
  waitUntil,
} from './checks.ts';

/**
 * Goes through the history with the page's own script. The navigation may drop the result of the script: wait for its
 * page.
 */
const go = (tab: Tab, delta: number): Promise<void> =>
  tab.evaluate((delta: number) => void setTimeout(() => history.go(delta)), delta).catch(() => undefined);

const waitForTitle = ({ tab }: CheckContext, title: string): Promise<string> =>
  waitUntil(
    () => tab.evaluate(() => document.title),
    (value) => value === title,
  );

const waitForHash = ({ tab }: CheckContext, hash: string): Promise<string> =>
  waitUntil(
    () => tab.evaluate(() => location.hash),
    (value) => value === hash,
  );

const leaveAndReturn = async (context: CheckContext, pages = 1): Promise<void> => {
  const { tab, host } = context;
  for (let page = 1; page <= pages; page += 1) await tab.goto(`${host.url}/elsewhere?${page}`);
  await go(tab, -pages);
  await waitForTitle(context, 'A host app');
};

const returnFromCache = async (context: CheckContext): Promise<void> => {
  await leaveAndReturn(context);
  const { isRestored, isRestoredCovered } = await ask(() => readRecord(context));
  await waitForState(context, 'ready');
  expect([isRestored, isRestoredCovered]).toEqual([true, true]);
};

/** With `?unload`, more pages than WebKit's back/forward cache holds; the other engines never cache such a page. */
const manyPages = 4;

const backAndForward: Check = {
  title: 'goes back and forward between two reports in one step each, also after renewals',
  run: async (context) => {
    const { tab } = context;
    await openSignedIn(context, '/?view=routes');
    await waitForState(context, 'ready');
    await advanceClock(context, renewalDueMs);
    await waitUntil(
      () => readRecord(context),
      ({ calls }) => calls.includes('swapped'),
    );
    await tab.click('#open-1044');
    await waitForHash(context, '#/1044');
    await waitForState(context, 'ready');
    await go(tab, -1);
    await waitForHash(context, '');
    await waitForState(context, 'ready');
    expect(await waitForRegions(context)).toEqual(['North']);
    await go(tab, 1);
    await waitForHash(context, '#/1044');
    await waitForState(context, 'ready');
  },
};

const leaveAndComeBack: Check = {
  title: 'shows the report again after leaving the page and coming back',
  needs: { isWhole: true },
  run: async (context) => {
    await openSignedIn(context, '/?unload');
    await waitForState(context, 'ready');
    await leaveAndReturn(context, manyPages);
    await waitForState(context, 'ready');
    expect((await readRecord(context)).isRestored).toBe(false);
    expect(await waitForRegions(context)).toEqual(['North']);
    await go(context.tab, 1);
    await waitForTitle(context, 'Elsewhere');
  },
};

const backForwardCache: Check = {
  title: 'comes back from the back/forward cache',
  needs: { isWhole: true },
  run: async (context) => {
    await openSignedIn(context);
    await waitForState(context, 'ready');
    await returnFromCache(context);
  },
};

const backForwardCacheListening: Check = {
  fails: { firefox: /expected \[ false, false \]/ },
  title: 'comes back from the back/forward cache with onAction',
  needs: { isWhole: true },
  run: async (context) => {
    await openSignedIn(context, '/?listen');
    await waitForState(context, 'ready');
    // A page that still loads the stream's code is not cached.
    await waitUntil(
      () => readRecord(context),
      ({ streams }) => streams > 0,
    );
    await returnFromCache(context);
  },
};

const serverRenderedBack: Check = {
  title: 'shows a server-rendered report with its own key after going back and after a reload',
  continues: true, // after backForwardCacheListening, where somebody is signed in
  run: async (context) => {
    const { tab, host } = context;
    const keys = () =>
      Promise.all([
        tab.evaluate(
          (selector: string) => document.querySelector<HTMLIFrameElement>(selector)?.src,
          shownFrame,
        ),
        tab.frame(shownFrame).evaluate(() => location.href),
      ]);
    await tab.goto(`${host.url}/server-rendered?unload`);
    await waitForState(context, 'ready');
    const [first, firstShown] = await keys();
    expect(firstShown === first).toBe(true);
    const before = [first];
    const reload = () => tab.evaluate(() => location.reload()).catch(() => undefined);
    for (const comeBack of [() => leaveAndReturn(context, manyPages), reload, reload]) {
      await comeBack();
      await waitUntil(
        async () => {
          const [key] = await keys();
          return key !== undefined && !before.includes(key);
        },
        (isNew) => isNew,
      );
      await waitForState(context, 'ready');
      await waitForRegions(context);
      const [key, shown] = await keys();
      expect(shown === key, 'the frame shows the key of its address').toBe(true);
      before.push(key);
    }
  },
};

/** Shows or hides the report, and waits for React. */
const toggle = async ({ tab }: CheckContext, mode: 'hidden' | 'visible'): Promise<void> => {
  await tab.click('#toggle');
  await waitUntil(
    () => tab.evaluate(() => document.querySelector('[data-state]')?.checkVisibility()),
    (isVisible) => isVisible === (mode === 'visible'),
  );
};

const activity: Check = {
  title: 'keeps a report that `<Activity>` hides, and shows it again at once',
  run: async (context) => {
    await openSignedIn(context, '/?view=activity');
    await waitForState(context, 'ready');
    const before = await readRecord(context);
    await toggle(context, 'hidden');
    await toggle(context, 'visible');
    await waitForState(context, 'ready');
    const { keys, calls, states } = await readRecord(context);
    expect({ keys: keys.length, calls, states }).toEqual({
      keys: 1,
      calls: before.calls,
      states: before.states,
    });
  },
};

const activityEndedKey: Check = {
  title: 'never shows a report whose key expired while `<Activity>` hid it',
  run: async (context) => {
    await openSignedIn(context, '/?view=activity');
    await waitForState(context, 'ready');
    // A slow browser may still draw the end of the key while it hides the report.
    const { states } = await readRecord(context);
    await toggle(context, 'hidden');
    await advanceClock(context, keyLifetimeMs * 1.1);
    await toggle(context, 'visible');
    await waitForState(context, 'ready');
    const after = await readRecord(context);
    expect(after.endedMoments).toBe(0);
    expect(after.states.slice(states.length)[0]).not.toBe('ready');
  },
};

const activityPrerendered: Check = {
  title: 'calls onLoad once for a report that `<Activity>` pre-rendered',
  run: async (context) => {
    const { tab } = context;
    await openSignedIn(context, '/?view=prerendered');
    // The frame loads while it is hidden.
    await waitUntil(
      () => tab.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
      (names) => names.some((name) => name.includes('/report/')),
    );
    await toggle(context, 'visible');
    await waitForState(context, 'ready');
    expect((await readRecord(context)).calls).toEqual(['onLoad']);
  },
};

describeInEngines([
  backAndForward,
  leaveAndComeBack,
  backForwardCache,
  backForwardCacheListening,
  serverRenderedBack,
  activity,
  activityEndedKey,
  activityPrerendered,
]);
