import { expect } from 'vitest';
import {
  type Check,
  type CheckContext,
  openSignedIn,
  readRecord,
  shownFrame,
  waitForRegions,
  waitForState,
  waitUntil,
} from './check.ts';

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

export const pointerSelection: Check = {
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

export const keyboardSelection: Check = {
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
