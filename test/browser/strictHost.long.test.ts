import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { type StrictHost, serveHost } from './host/serveHost.ts';
import { closeLid } from './scenarios/lidClose.ts';
import { renewAndScan } from './scenarios/renewAndScan.ts';

let host: StrictHost;
let browser: Browser;
beforeAll(async () => {
  [host, browser] = await Promise.all([serveHost(), launchBrowser()]);
});
afterAll(() => Promise.all([host?.close(), browser?.close()]));

it('leaves the history unchanged over fifty renewals, and no key in the page with concealKey', async () => {
  const findings = await renewAndScan(browser, host, { wish: 'conceal', renewals: 50 });
  expect(findings).toEqual({ keys: 51, historyGrowth: 0, complaints: [], leaks: [], heardByThird: 50 });
  const open = await renewAndScan(browser, host, { wish: 'src', renewals: 50 });
  expect(open).toMatchObject({ keys: 51, historyGrowth: 0, complaints: [] });
});

it.runIf(process.platform === 'linux')(
  'shows no expired key two seconds after opening the lid, over twenty lid closes with a key expiring inside',
  async () => {
    const { ours } = await closeLid(host, { cycles: 20, speed: 12 });
    process.stdout.write(
      `lid: expired keys visible for ${ours.map(({ staleMs }) => staleMs).join(', ')} ms\n`,
    );
    expect(ours.length).toBeGreaterThanOrEqual(20);
    for (const { staleMs } of ours) expect(staleMs).toBeLessThanOrEqual(2_000);
  },
);
