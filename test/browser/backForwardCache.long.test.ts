import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { type StrictHost, serveHost } from './host/serveHost.ts';
import { leaveAndReturn } from './scenarios/leaveAndReturn.ts';

let host: StrictHost;
let browser: Browser;
beforeAll(async () => {
  [host, browser] = await Promise.all([serveHost(), launchBrowser({ hasBackForwardCache: true })]);
});
afterAll(() => Promise.all([host?.close(), browser?.close()]));

/** A key lives for five seconds, so that a page can be left while its key is young. */
const speed = 12;
const awayMs = 5_500;

describe('a page in the back/forward cache whose key expires', () => {
  it.for([1, 2, 3, 4, 5])(
    'shows no expired key two seconds after the return, and has requested a new one (%s of 5)',
    async () => {
      const { isRestored, wake, asked } = await leaveAndReturn(browser, host, {
        wish: 'renew',
        speed,
        awayMs,
      });
      expect(isRestored).toBe(true);
      expect(wake?.hadEnded).toBe(true);
      expect(wake?.staleMs).toBeLessThanOrEqual(2_000);
      expect(asked).toContain('keys');
    },
  );

  it('control: a frame without key renewal still shows the expired key', async () => {
    const { isRestored, wake, asked } = await leaveAndReturn(browser, host, { wish: 'plain', speed, awayMs });
    expect(isRestored).toBe(true);
    expect(wake?.hadEnded).toBe(true);
    expect(wake?.staleMs).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
