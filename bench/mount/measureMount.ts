import type { Browser, CDPSession } from 'playwright';
import { type BenchResults, columns } from '../lib/benchResults.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { median, pairedRatio, shuffled } from '../lib/stats.ts';
import { bundlePage, type MountDesign, mountDesigns } from './designs.ts';
import { pageHtml } from './html.ts';
import { type Sites, startSites } from './site.ts';

const delays = [0, 50] as const;
type Delay = (typeof delays)[number];

interface Trial {
  readonly ms: number;
  /** Busy time of the page's main thread since the mount. */
  readonly cpuMs: number;
}

/** Busy time of the page's main thread so far, in milliseconds. */
const mainThreadMs = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
};

/** When the browser requested the report's frame, on the page's clock. */
const frameRequest = async (prefix: string): Promise<number> => {
  for (;;) {
    const entry = performance
      .getEntriesByType('resource')
      .find((one) => one.name.startsWith(prefix) && 'initiatorType' in one && one.initiatorType === 'iframe');
    if (entry !== undefined) return entry.startTime;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

declare global {
  interface Window {
    benchPage: { prepare(): Promise<void>; mount(): number };
  }
}

const runTrial = async (
  browser: Browser,
  sites: Sites,
  { design, delayMs }: { design: MountDesign; delayMs: Delay },
): Promise<Trial> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const prefix = `${sites.tenantUrl}${design.framePath}`;
  const path = `/${design.page}.html`;
  sites.pages.set(path, { type: 'text/html', body: pageHtml(design, sites.tenantUrl) });
  sites.delayMs = delayMs;
  try {
    await page.goto(`${sites.appUrl}${path}`, { waitUntil: 'load' });
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    await page.evaluate(() => window.benchPage.prepare());
    await page.waitForTimeout(20); // lets the page settle
    const workedMs = await mainThreadMs(session);
    const startedAt = await page.evaluate(() => window.benchPage.mount());
    const requestedAt = await page.evaluate(frameRequest, prefix);
    const cpuMs = (await mainThreadMs(session)) - workedMs;
    return { ms: requestedAt - startedAt, cpuMs };
  } finally {
    await context.close();
  }
};

const nameOf = ({ title }: MountDesign, delayMs: Delay) => `${delayMs} ${title}`;

/** Milliseconds from the mount until the browser requests the report's frame. */
export const measureMount = async (
  browser: Browser,
  options: BenchOptions,
  results: BenchResults,
): Promise<void> => {
  const trials = options.rounds ?? (options.quick ? 1 : 15);
  const wanted = mountDesigns.filter(({ title }) => isWanted(options, title));
  const sites = await startSites();
  for (const { page } of wanted) {
    sites.pages.set(`/${page}.js`, { type: 'text/javascript', body: await bundlePage(page) });
  }
  const measured = new Map<string, Trial[]>();
  const warmUps = options.quick ? 0 : 1; // fills the browser's caches of compiled code
  for (let trial = 0; trial < trials + warmUps; trial += 1) {
    for (const delayMs of delays) {
      for (const design of shuffled(wanted)) {
        const result = await runTrial(browser, sites, { design, delayMs });
        const name = nameOf(design, delayMs);
        if (trial >= warmUps) measured.set(name, [...(measured.get(name) ?? []), result]);
      }
    }
  }
  sites.close();

  const trialsOf = (title: string, delayMs: Delay = 50) => measured.get(`${delayMs} ${title}`) ?? [];
  const ms = (title: string, delayMs: Delay = 50) => trialsOf(title, delayMs).map((trial) => trial.ms);
  const cpu = (title: string) => trialsOf(title).map(({ cpuMs }) => cpuMs);
  const handMade = 'hand-made fetch + iframe';

  results.table({
    title: `Mount → request of the frame, ms, median of ${trials}`,
    columns: columns('design', '+0 ms', '+50 ms', '÷ hand-made', 'CPU ms'),
    rows: wanted.map(({ title }) => [
      title,
      median(ms(title, 0)),
      median(ms(title)),
      pairedRatio(ms(title), ms(handMade)),
      median(cpu(title)),
    ]),
    notes: ['The page and its script are there; a delay stands before every answer of app and tenant.'],
  });
  const bootstrap = 'powerbi-client-react, bootstrap';
  results.goals([
    {
      text: 'plain: mount → frame at 50 ms ÷ hand-made',
      limit: 1.15,
      sense: 'at most',
      seen: pairedRatio(ms('ours, plain'), ms(handMade)),
    },
    ...['ours, key prefetched', 'ours, key hydrated'].map((title) => ({
      text: `${title}: CPU from mount to frame at 50 ms ÷ powerbi-client-react bootstrap`,
      limit: 1.2,
      sense: 'at most' as const,
      seen: pairedRatio(cpu(title), cpu(bootstrap)),
    })),
  ]);
};
