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

const openListening = async (context: CheckContext): Promise<void> => {
  await openSignedIn(context, '/?listen');
  await waitForRegions(context);
  await waitForState(context, 'ready');
};

/** Waits for the click to return through portal, webhook and stream. */
const expectAction = async (context: CheckContext): Promise<void> => {
  const { actions } = await waitUntil(
    () => readRecord(context),
    ({ actions }) => actions.length > 0,
  );
  expect(actions).toHaveLength(1);
  expect(JSON.stringify(actions[0])).toContain('North');
  expect(actions[0]).toMatchObject({ itemId: 1042, isClear: false });
};

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
    await openListening(context);
    await markBar(context);
    await context.tab.frame(shownFrame).click('#bar');
    await expectAction(context);
  },
};

export const keyboardSelection: Check = {
  title: 'is usable with the keyboard, and delivers the selection to onAction',
  run: async (context) => {
    const { tab } = context;
    await openListening(context);
    await tab.evaluate(() => document.body.focus());
    const isFocused = () =>
      tab
        .frame(shownFrame)
        .evaluate((selector: string) => document.activeElement?.matches(selector) ?? false, listbox);
    for (let presses = 0; presses < 30 && !(await isFocused()); presses += 1) await tab.press('Tab');
    expect(await isFocused()).toBe(true);
    await tab.press('Home');
    await tab.press('Enter');
    await expectAction(context);
  },
};
