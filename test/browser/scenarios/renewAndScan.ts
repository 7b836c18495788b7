import type { Browser, Page } from 'playwright';
import { vi } from 'vitest';
import { createCanaryScanner } from '../../support/createCanaryScanner.ts';
import type { HostPage } from '../host/main.tsx';
import type { StrictHost } from '../host/serveHost.ts';

/** What a page revealed during its renewals. */
export interface ScanFindings {
  readonly keys: number;
  /** Entries that the renewals added to the history of the tab. */
  readonly historyGrowth: number;
  /** Violations of the page's policy, and all console messages. */
  readonly complaints: readonly string[];
  /** Places outside the report's own frame where a part of a key was found. */
  readonly leaks: readonly string[];
  /** Requests that a third party received. */
  readonly heardByThird: number;
}

const patience = { timeout: 60_000, interval: 20 };

/** Every place on the host's page that could retain something. */
const placesOf = async (page: Page): Promise<Record<string, string>> => ({
  ...(await page.evaluate(async () => ({
    document: document.documentElement.outerHTML,
    timing: JSON.stringify(performance.getEntries()),
    storage: JSON.stringify([localStorage, sessionStorage, document.cookie, window.name, history.state]),
    databases: JSON.stringify([await indexedDB.databases(), await caches.keys()]),
    address: location.href,
  }))),
  cookies: JSON.stringify(await page.context().cookies()),
});

/** Renews a report under the strict policy repeatedly, and searches for its keys wherever they must not be. */
export const renewAndScan = async (
  browser: Browser,
  host: StrictHost,
  { wish, renewals }: { readonly wish: 'conceal' | 'plain' | 'src'; readonly renewals: number },
): Promise<ScanFindings> => {
  const page = await (await browser.newContext()).newPage();
  const scanner = createCanaryScanner();
  const seen = new Set<string>();
  const complaints: string[] = [];
  const leaks = new Set<string>();
  const keys: Promise<string>[] = [];
  const others: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (response) => {
    if (response.url().endsWith('/api/embed/keys')) keys.push(response.json().then(({ key }) => key));
  });
  page.on('request', (request) => {
    const isReport = new URL(request.url()).pathname.startsWith('/report/');
    // Requests of the portal's page to the portal itself are not the host's.
    if (!isReport && request.frame() === page.mainFrame())
      others.push(JSON.stringify([request.url(), request.headers(), request.postData()]));
  });
  const entries = async () => {
    const session = await page.context().newCDPSession(page);
    const { entries } = await session.send('Page.getNavigationHistory');
    return entries.length + (await page.evaluate(() => history.length));
  };
  const heardBefore = host.third.heard.length;
  const isShown = (count: number) =>
    vi.waitFor(async () => {
      const frames = page.frames().filter((frame) => frame.url().includes('/report/'));
      const isReady = wish === 'plain' || (await page.locator('[data-state="ready"]').count()) === 1;
      if (keys.length < count || frames.length !== 1 || !isReady) throw new Error('No report is shown.');
      const url = frames[0]?.url() ?? '';
      if (seen.has(url)) throw new Error('The report before is still shown.');
      seen.add(url);
    }, patience);
  const scan = async () => {
    for (const key of await Promise.all(keys)) scanner.add(key);
    const places = { ...(await placesOf(page)), console: complaints.join('\n'), requests: others.join('\n') };
    const third = host.third.heard.slice(heardBefore).join('\n');
    for (const [place, text] of Object.entries({ ...places, third }))
      if (scanner.find(text) !== undefined) leaks.add(place);
  };

  await page.goto(`${host.url}/?${wish}&third=${encodeURIComponent(host.third.url)}`);
  await isShown(1);
  await scan();
  const before = await entries();
  for (let renewal = 1; renewal <= renewals; renewal += 1) {
    await page.evaluate(() => (globalThis as unknown as { host: HostPage }).host.renew());
    await isShown(renewal + 1);
    await scan();
  }
  const historyGrowth = (await entries()) - before;
  await vi.waitFor(async () => {
    if (wish === 'plain') {
      // The history entry of a frame is written some time after its `load`.
      const timed = await page.evaluate(() =>
        performance.getEntriesByType('resource').map(({ name }) => name),
      );
      if (!timed.some((name) => name.includes('/report/'))) throw new Error('Not timed yet.');
    } else if (host.third.heard.length - heardBefore < renewals + 1) throw new Error('Not heard yet.');
  }, patience);
  await scan();
  complaints.push(
    ...(await page.evaluate(() => (globalThis as unknown as { host: HostPage }).host.violations)),
  );
  await page.context().close();
  return {
    keys: keys.length,
    historyGrowth,
    complaints,
    leaks: [...leaks],
    heardByThird: host.third.heard.length - heardBefore,
  };
};
