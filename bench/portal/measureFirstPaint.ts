import { createPortal, type PortalTenant } from '@vitrine/portal';
import type { Browser } from 'playwright';
import { mintKey } from '../../test/portal/mint.ts';
import { launchBrowser } from '../../test/support/launchBrowser.ts';
import { type BenchResults, columns } from '../lib/benchResults.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { shuffled, summarize } from '../lib/stats.ts';

/**
 * Times of opening one report, from the page's own performance entries: milliseconds since the start of its navigation.
 */
interface Opening {
  readonly paintMs: number;
  readonly visualsMs: number;
  /** Compressed bytes of all resources loaded until then. */
  readonly bytes: number;
  readonly requests: number;
}

/** Marks the second animation frame after the report has drawn: by then it is painted. */
const markPaint = () => {
  const observer = new PerformanceObserver((list) => {
    if (list.getEntriesByName('report-painted').length === 0) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('visuals-painted')));
  });
  observer.observe({ type: 'mark' });
};

const readOpening = (): Opening => {
  const loaded = [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ] as PerformanceResourceTiming[]; // both kinds of entry are of this type
  const at = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
  return {
    paintMs: at('first-contentful-paint'),
    visualsMs: at('visuals-painted'),
    bytes: loaded.reduce((sum, entry) => sum + entry.encodedBodySize, 0),
    requests: loaded.length,
  };
};

/** Opens a report in a browser with an empty cache. */
const openReport = async (browser: Browser, tenant: PortalTenant, itemId: number): Promise<Opening> => {
  const key = await mintKey({ tenant, itemId, roleNames: ['all-regions'] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.addInitScript(markPaint);
  await page.goto(`${tenant.tenantUrl}/report/${itemId}?ev=${encodeURIComponent(key)}`);
  await page.waitForFunction(() => performance.getEntriesByName('visuals-painted').length > 0);
  const opening = await page.evaluate(readOpening);
  await context.close();
  return opening;
};

/** Time until the first paint and until the visuals of each report, with an empty cache. */
export const measureFirstPaint = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  if (!isWanted(options, 'first paint')) return;
  const rounds = options.rounds ?? (options.quick ? 2 : 15);
  const portal = await createPortal();
  const browser = await launchBrowser({ isWhole: true });
  try {
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The portal has no tenant.');
    const openings = new Map(tenant.items.map((item) => [item, [] as Opening[]]));
    for (let round = 0; round <= rounds; round += 1)
      for (const item of shuffled(tenant.items)) {
        const opening = await openReport(browser, tenant, item.id);
        // The first round warms up the portal and the browser's processes.
        if (round > 0) openings.get(item)?.push(opening);
      }
    const show = (values: readonly number[]) => {
      const { median, p90 } = summarize(values);
      return `${Math.round(median)} (${Math.round(p90)})`;
    };
    const all = [...openings.entries()];
    results.table({
      title: `A report in a browser that has cached nothing: ms since its navigation, median (p90) of ${rounds}`,
      columns: columns('report', 'first paint', 'visuals painted', 'requests', 'KiB, compressed'),
      rows: all.map(([item, seen]) => [
        item.displayName,
        show(seen.map(({ paintMs }) => paintMs)),
        show(seen.map(({ visualsMs }) => visualsMs)),
        Math.max(...seen.map(({ requests }) => requests)),
        Math.round(Math.max(...seen.map(({ bytes }) => bytes)) / 1024),
      ]),
      notes: ['By the performance entries of the page itself. Portal and browser share the machine.'],
    });
    const atMost = (text: string, limit: number, seen: number) =>
      ({ text, limit, sense: 'at most', seen }) as const;
    // How soon the visuals are painted is to be 0.7 of what it was before (commit e338a71), which no run here can show.
    results.goals(
      all.flatMap(([item, seen]) => [
        atMost(`${item.displayName}: requests`, 4, Math.max(...seen.map(({ requests }) => requests))),
        atMost(
          `${item.displayName}: KiB, compressed`,
          235,
          Math.round(Math.max(...seen.map(({ bytes }) => bytes)) / 1024),
        ),
      ]),
    );
  } finally {
    await browser.close();
    await portal.close();
  }
};
