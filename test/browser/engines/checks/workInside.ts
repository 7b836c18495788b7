import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Check, shownFrame, waitForRegions } from './check.ts';

export const workInside: Check = {
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
    await delay(2_000);
    const focused = await tab.evaluate(() => document.body.dataset['focused'] ?? '');
    expect(focused.trim().split(' ').toSorted()).toEqual(['focus', 'focusin']);
  },
};
