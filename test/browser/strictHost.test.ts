import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { type StrictHost, serveHost } from './host/serveHost.ts';
import { leaveAndReturn } from './scenarios/leaveAndReturn.ts';
import { closeLid } from './scenarios/lidClose.ts';
import { renewAndScan } from './scenarios/renewAndScan.ts';

let host: StrictHost;
let browser: Browser;
beforeAll(async () => {
  [host, browser] = await Promise.all([serveHost(), launchBrowser({ hasBackForwardCache: true })]);
});
afterAll(() => Promise.all([host?.close(), browser?.close()]));

const options = { timeout: 180_000 };

describe('a page with exactly the policy that the README names', options, () => {
  it('shows and renews a report, without a history entry, and with concealKey leaves no part of a key anywhere', async () => {
    const findings = await renewAndScan(browser, host, { wish: 'conceal', renewals: 2 });
    expect(findings).toEqual({
      keys: 3,
      historyGrowth: 0,
      complaints: [],
      leaks: [],
      heardByThird: 3,
    });
  });

  it('renews a report without a history entry when the key is not concealed', async () => {
    const findings = await renewAndScan(browser, host, { wish: 'src', renewals: 2 });
    expect(findings).toMatchObject({ keys: 3, historyGrowth: 0, complaints: [] });
  });

  it('control: the same check finds the keys and history entries of a frame that navigates to a new URL', async () => {
    const findings = await renewAndScan(browser, host, { wish: 'plain', renewals: 2 });
    expect(findings.leaks).toEqual(expect.arrayContaining(['document', 'timing']));
    expect(findings.historyGrowth).toBeGreaterThan(0);
  });
});

describe('a page that the viewer leaves and returns to through the history', options, () => {
  it('is kept in the back/forward cache, checks access, and opens its action stream again', async () => {
    // A key is requested at most every ten seconds.
    const { isRestored, asked } = await leaveAndReturn(browser, host, { wish: 'listen', awayMs: 10_000 });
    expect({ isRestored, asked: [...asked].sort() }).toEqual({
      isRestored: true,
      asked: ['actions', 'keys'],
    });
  });

  it('control: reloads when its report adds an unload listener', async () => {
    const { isRestored, asked } = await leaveAndReturn(browser, host, { wish: 'plain&unload' });
    expect({ isRestored, asked }).toEqual({ isRestored: false, asked: ['keys'] });
  });
});

// Only Linux lists the processes of a browser and can stop them as a closing lid does.
describe.runIf(process.platform === 'linux')(
  'a lid that closes with a valid key and opens after it has expired',
  options,
  () => {
    it('leaves no expired key visible, unlike a frame without key renewal', async () => {
      const { ours, control } = await closeLid(host, { cycles: 1, speed: 30 });
      expect(ours.length).toBeGreaterThanOrEqual(1);
      // The long run requires two seconds; here other tests share the machine.
      for (const { staleMs } of ours) expect(staleMs).toBeLessThanOrEqual(10_000);
      expect(control.length).toBeGreaterThan(0);
      for (const { staleMs } of control) expect(staleMs).toBeUndefined();
    });
  },
);
