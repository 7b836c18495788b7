import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { leaveAndReturn } from './gates/leaveAndReturn.ts';
import { closeLid } from './gates/lidClose.ts';
import { renewAndScan } from './gates/renewAndScan.ts';
import { type StrictHost, serveHost } from './host/serveHost.ts';

let host: StrictHost;
let browser: Browser;
beforeAll(async () => {
  [host, browser] = await Promise.all([serveHost(), launchBrowser({ hasBackForwardCache: true })]);
});
afterAll(() => Promise.all([host?.close(), browser?.close()]));

const options = { timeout: 180_000 };

describe('a page whose policy allows what the README names and nothing else', options, () => {
  it('shows and renews a report; with concealKey no byte of a key is left anywhere, and no entry in the history', async () => {
    const findings = await renewAndScan(browser, host, { wish: 'conceal', renewals: 3 });
    expect(findings).toEqual({
      keys: 4,
      historyGrowth: 0,
      complaints: [],
      leaks: [],
      heardByThird: 3,
    });
  });

  it('renews a report without a history entry when the key is not concealed, too', async () => {
    const findings = await renewAndScan(browser, host, { wish: 'src', renewals: 2 });
    expect(findings).toMatchObject({ keys: 3, historyGrowth: 0, complaints: [] });
  });

  it('control: the same check finds the keys and the entries of a frame that is sent to a new address', async () => {
    const findings = await renewAndScan(browser, host, { wish: 'plain', renewals: 2 });
    expect(findings.leaks).toEqual(expect.arrayContaining(['document', 'timing']));
    expect(findings.historyGrowth).toBeGreaterThan(0);
  });
});

describe('a page that the viewer leaves and returns to through the history', options, () => {
  it('was kept by the browser, with its key and with a stream of actions that it opens again', async () => {
    // Chromium says that a page resumes before it says where from. Ten seconds after its key, the page might ask for another.
    const { isRestored, asked } = await leaveAndReturn(browser, host, { wish: 'listen', awayMs: 10_000 });
    expect({ isRestored, asked }).toEqual({ isRestored: true, asked: ['actions'] });
  });

  it('control: is built again when its report listens to the unloading of the page', async () => {
    const { isRestored, asked } = await leaveAndReturn(browser, host, { wish: 'plain&unload' });
    expect({ isRestored, asked }).toEqual({ isRestored: false, asked: ['keys'] });
  });
});

// Only Linux tells which processes belong to a browser, and stops them as a closing lid does.
describe.runIf(process.platform === 'linux')(
  'a lid that closes on a good key and opens when it has ended',
  options,
  () => {
    it('leaves no ended key in sight, where a frame that nothing watches over shows it for ever', async () => {
      const { ours, control } = await closeLid(host, { cycles: 3, speed: 30 });
      expect(ours.length).toBeGreaterThanOrEqual(3);
      // Two seconds are what the long run holds; here other tests share the machine.
      for (const { staleMs } of ours) expect(staleMs).toBeLessThanOrEqual(10_000);
      expect(control.length).toBeGreaterThan(0);
      for (const { staleMs } of control) expect(staleMs).toBeUndefined();
    });
  },
);
