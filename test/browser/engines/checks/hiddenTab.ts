import { expect } from 'vitest';
import { renewalDueMs } from '../host/serveEngineHost.ts';
import {
  advanceClock,
  type Check,
  type CheckContext,
  openSignedIn,
  readRecord,
  waitForRegions,
  waitForState,
  waitUntil,
} from './check.ts';

const setDisplay = ({ tab }: CheckContext, display: string) =>
  tab.evaluate((display: string) => {
    const app = document.getElementById('root');
    if (app) app.style.display = display;
    return [...document.querySelectorAll('iframe')].map(({ name }) => name);
  }, display);

export const hiddenTab: Check = {
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
