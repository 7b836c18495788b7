import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { renewalDueMs } from '../host/serveHost.ts';
import {
  advanceClock,
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

const readPlace = async ({ tab }: CheckContext) => {
  // Focus and scroll position arrive from the frame's process a little later.
  await delay(300);
  return tab.evaluate(() => {
    const { id, tagName } = document.activeElement ?? document.body;
    return { focus: id || tagName, scrollY: Math.round(scrollY) };
  });
};

const focusAndScroll: Check = {
  title: 'leaves focus and scroll position to the viewer, even if its page takes them while it loads',
  run: async (context) => {
    const { tab, host } = context;
    host.served.reportScript = 'search.focus(); deep.scrollIntoView();';
    try {
      await openSignedIn(context, '/?view=field');
      await waitForState(context, 'ready');
      expect(await readPlace(context)).toEqual({ focus: 'BODY', scrollY: 0 });
      await tab.click('#field');
      await advanceClock(context, renewalDueMs);
      await waitUntil(
        () => readRecord(context),
        ({ calls }) => calls.includes('swapped'),
      );
      expect(await readPlace(context)).toEqual({ focus: 'field', scrollY: 0 });
    } finally {
      host.served.reportScript = undefined;
    }
  },
};

const listbox = '[data-visual="revenue-by-region"] [role="listbox"]';

/** Waits for the clicks to return through portal, webhook and stream. */
const readActions = async (context: CheckContext, count: number) => {
  const { actions } = await waitUntil(
    () => readRecord(context),
    ({ actions }) => actions.length >= count,
  );
  return actions.map(({ itemId, isCleared, ...rest }) => ({
    itemId,
    isCleared,
    isNorth: JSON.stringify(rest).includes('North'),
  }));
};

const selected = { itemId: 1042, isCleared: false, isNorth: true };

/** Names the only bar of the chart once its animation has ended. */
const markBar = ({ tab }: CheckContext): Promise<string> =>
  waitUntil(
    () =>
      tab.frame(shownFrame).evaluate(async () => {
        const [bar] = document.querySelectorAll(
          '[data-visual="revenue-by-region"] svg path:not([fill="none"])',
        );
        if (!bar) return 'absent';
        const place = () => JSON.stringify(bar.getBoundingClientRect());
        const before = place();
        await new Promise((resolve) => setTimeout(resolve, 100));
        bar.id = 'bar';
        return place() === before ? 'still' : 'moving';
      }),
    (state) => state === 'still',
  );

const pointerSelection: Check = {
  title: 'delivers a mouse click to onAction',
  run: async (context) => {
    await openSignedIn(context, '/?listen');
    await waitForRegions(context);
    await waitForState(context, 'ready');
    await markBar(context);
    await context.tab.frame(shownFrame).click('#bar');
    expect(await readActions(context, 1)).toEqual([selected]);
  },
};

const keyboardSelection: Check = {
  title: 'is usable with the keyboard, and delivers the selection to onAction',
  continues: true, // after pointerSelection: clears the selection and repeats it
  run: async (context) => {
    const { tab } = context;
    await tab.evaluate(() => document.body.focus());
    const isFocused = () =>
      tab
        .frame(shownFrame)
        .evaluate((selector: string) => document.activeElement?.matches(selector) ?? false, listbox);
    for (let presses = 0; presses < 30 && !(await isFocused()); presses += 1) await tab.press('Tab');
    expect(await isFocused()).toBe(true);
    await tab.press('Home');
    await tab.press('Enter');
    expect(await readActions(context, 2)).toMatchObject([selected, { itemId: 1042, isCleared: true }]);
    await tab.press('Enter');
    expect(await readActions(context, 3)).toMatchObject([selected, { isCleared: true }, selected]);
  },
};

const matches = ({ tab }: CheckContext, query: string): Promise<boolean> =>
  tab.evaluate((query: string) => matchMedia(query).matches, query);

const reducedMotion: Check = {
  title: 'does not animate while it loads with reduced motion',
  continues: true, // after zoomed
  run: async (context) => {
    const { tab } = context;
    expect(await matches(context, '(prefers-reduced-motion: reduce)')).toBe(true);
    const animation = await tab.evaluate(() => {
      const outline = document.createElement('div');
      outline.className = 'vitrine-skeleton';
      const block = outline.appendChild(document.createElement('i'));
      document.body.append(outline);
      const { animationName } = getComputedStyle(block);
      outline.remove();
      return animationName;
    });
    expect(animation).toBe('none');
  },
};

const forcedColors: Check = {
  fails: { webkit: /the engine forces colors/ },
  title: 'draws borders around icon and button in forced colors',
  run: async (context) => {
    const { tab } = context;
    context.host.isProxyDown = true;
    try {
      await openSignedIn(context);
      await waitForState(context, 'failed http_502');
    } finally {
      context.host.isProxyDown = false;
    }
    expect(await matches(context, '(forced-colors: active)'), 'the engine forces colors').toBe(true);
    const borders = await tab.evaluate(() =>
      ['.vitrine-message button', '.vitrine-icon'].map((selector) => {
        const element = document.querySelector(selector);
        return element ? getComputedStyle(element).borderTopStyle : 'absent';
      }),
    );
    expect(borders).toEqual(['solid', 'solid']);
  },
};

const zoomed: Check = {
  title: 'fits the page at 200% zoom, with "Try again" in view',
  continues: true, // after forcedColors
  run: async (context) => {
    const { tab } = context;
    expect(await tab.evaluate(() => devicePixelRatio)).toBe(2);
    const overflow = await tab.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await tab.click('[role="alert"] button');
    await waitForState(context, 'ready');
    const width = await waitUntil(
      () => tab.evaluate(() => document.querySelector('iframe')?.getBoundingClientRect().width ?? 0),
      (value) => value > 0,
    );
    expect(width).toBeLessThanOrEqual(500);
  },
};

describeInEngines([focusAndScroll, pointerSelection, keyboardSelection]);

describeInEngines([forcedColors, zoomed, reducedMotion], { isAdapted: true });
