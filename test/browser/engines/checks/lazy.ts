import { expect } from 'vitest';
import { type Check, openSignedIn, readRecord, waitForState } from './check.ts';

export const lazy: Check = {
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
