import { expect } from 'vitest';
import { type Check, openSignedIn, waitForRegions, waitForState } from './check.ts';

export const errorAndRetry: Check = {
  title: 'shows an error when no key arrives, and the report after "Try again"',
  run: async (context) => {
    const { tab, host } = context;
    host.isProxyDown = true;
    try {
      await openSignedIn(context);
      await waitForState(context, 'failed http_502');
      expect(await tab.evaluate(() => document.querySelectorAll('iframe').length)).toBe(0);
      expect(await tab.evaluate(() => document.querySelector('[role="alert"]')?.textContent)).toBeTruthy();
    } finally {
      host.isProxyDown = false;
    }
    await tab.click('[role="alert"] button');
    await waitForState(context, 'ready');
    expect(await waitForRegions(context)).toEqual(['North']);
  },
};
