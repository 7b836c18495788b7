import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { renewalDueMs } from '../host/serveEngineHost.ts';
import {
  advanceClock,
  type Check,
  type CheckContext,
  openSignedIn,
  readRecord,
  waitForState,
  waitUntil,
} from './check.ts';

const readPlace = async ({ tab }: CheckContext) => {
  // Focus and scroll position arrive from the frame's process a little later.
  await delay(300);
  return tab.evaluate(() => {
    const { id, tagName } = document.activeElement ?? document.body;
    return { focus: id || tagName, scrollY: Math.round(scrollY) };
  });
};

export const focusAndScroll: Check = {
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
