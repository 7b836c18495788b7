import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Check, openSignedIn, readRecord, readState, waitForState } from './check.ts';

export const frameBlocked: Check = {
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
