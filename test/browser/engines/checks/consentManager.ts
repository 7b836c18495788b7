import { expect } from 'vitest';
import { renewalDueMs } from '../host/serveEngineHost.ts';
import { advanceClock, type Check, openSignedIn, readRecord, waitForState, waitUntil } from './check.ts';

export const consentManager: Check = {
  title: 'is renewed on a page whose consent manager has replaced its frame',
  run: async (context) => {
    const { tab } = context;
    await openSignedIn(context);
    await waitForState(context, 'ready');
    await tab.evaluate(() => document.querySelector('iframe')?.replaceWith(document.createElement('p')));
    await advanceClock(context, renewalDueMs);
    await waitUntil(
      () => readRecord(context),
      ({ calls }) => calls.includes('swapped'),
    );
    await waitForState(context, 'ready');
    expect(await tab.evaluate(() => document.querySelectorAll('iframe').length)).toBe(1);
  },
};
