import { expect } from 'vitest';
import {
  advanceClock,
  type Check,
  type CheckContext,
  openSignedIn,
  waitForRegions,
  waitForState,
  waitUntil,
} from './check.ts';

/** No timeout starts before the frame exists. */
const waitForFrame = ({ tab }: CheckContext) =>
  waitUntil(
    () => tab.evaluate(() => document.querySelector('iframe') !== null),
    (isThere) => isThere,
  );

export const isolatedPage: Check = {
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

export const isolatedPageOptedIn: Check = {
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
