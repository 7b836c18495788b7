import type { Browser, CDPSession } from 'playwright';
import { type BenchResults, columns } from '../lib/benchResults.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { pairedRatio, quantile, shuffled, summarize } from '../lib/stats.ts';
import { bundlePage, type MountDesign, mountDesigns } from './designs.ts';
import { pageHtml } from './html.ts';
import { type Sites, serialDepth, startSites } from './site.ts';

type Mode = 'mount' | 'navigation';
const delays = [0, 50] as const;
type Delay = (typeof delays)[number];

interface Trial {
  readonly ms: number;
  /** Busy time of the page's main thread since the mount or the start of the navigation. */
  readonly cpuMs: number;
  readonly serial: number;
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
  { design, mode, delayMs }: { design: MountDesign; mode: Mode; delayMs: Delay },
): Promise<Trial> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const prefix = `${sites.tenantUrl}${design.framePath}`;
  const scriptPath = `/${design.page}.js`;
  const path = `/${design.page}.${mode}.html`;
  const isRunningAlone = mode === 'navigation';
  sites.pages.set(path, {
    type: 'text/html',
    body: pageHtml(design, { scriptPath, tenantUrl: sites.tenantUrl, isRunningAlone }),
  });
  sites.delayMs = delayMs;
  sites.visits.length = 0;
  try {
    await page.goto(`${sites.appUrl}${path}`, { waitUntil: 'load' });
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    let startedAt = 0;
    let workedMs = 0;
    if (mode === 'mount') {
      await page.evaluate(() => window.benchPage.prepare());
      await page.waitForTimeout(20); // lets the page settle
      workedMs = await mainThreadMs(session);
      startedAt = await page.evaluate(() => window.benchPage.mount());
    }
    const requestedAt = await page.evaluate(frameRequest, prefix);
    const cpuMs = (await mainThreadMs(session)) - workedMs;
    const timeOrigin = await page.evaluate(() => performance.timeOrigin);
    const before = sites.visits.filter(
      (visit) =>
        !visit.path.startsWith('/favicon') &&
        visit.endedAt < timeOrigin + requestedAt + 1 &&
        (mode === 'navigation' || visit.startedAt > timeOrigin + startedAt - 1),
    );
    return { ms: requestedAt - startedAt, cpuMs, serial: serialDepth(before) };
  } finally {
    await context.close();
  }
};

const nameOf = (mode: Mode, { title }: MountDesign, delayMs: Delay) => `${mode} ${delayMs} ${title}`;

/** Milliseconds until the browser requests the report's frame: from the mount, and from the start of the navigation. */
export const measureMount = async (
  browser: Browser,
  options: BenchOptions,
  results: BenchResults,
): Promise<void> => {
  const trials = options.rounds ?? (options.quick ? 1 : 15);
  const wanted = mountDesigns.filter(({ title }) => isWanted(options, title));
  if (wanted.length === 0) return;
  const sites = await startSites();
  for (const { page } of wanted) {
    sites.pages.set(`/${page}.js`, { type: 'text/javascript', body: await bundlePage(page) });
  }

  const measured = new Map<string, Trial[]>();
  const warmUps = options.quick ? 0 : 1; // fills the browser's caches of compiled code
  for (let trial = 0; trial < trials + warmUps; trial += 1) {
    for (const mode of ['mount', 'navigation'] as const) {
      for (const delayMs of delays) {
        for (const design of shuffled(wanted)) {
          if (mode === 'mount' && design.isNavigationOnly === true) continue;
          const result = await runTrial(browser, sites, { design, mode, delayMs });
          const name = nameOf(mode, design, delayMs);
          if (trial >= warmUps) measured.set(name, [...(measured.get(name) ?? []), result]);
        }
      }
    }
  }
  sites.close();

  const series = (mode: Mode, title: string, delayMs: Delay): number[] =>
    (measured.get(`${mode} ${delayMs} ${title}`) ?? []).map(({ ms }) => ms);
  const cpu = (title: string): number[] =>
    (measured.get(`mount 50 ${title}`) ?? []).map(({ cpuMs }) => cpuMs);
  const ratioOf = (values: readonly number[], baseline: readonly number[]): number | undefined =>
    values.length === 0 || baseline.length === 0 ? undefined : pairedRatio(values, baseline);
  const ratio = (mode: Mode, title: string, base: string): number | undefined =>
    ratioOf(series(mode, title, 50), series(mode, base, 50));
  const handMade = 'hand-made fetch + iframe';
  const show = (mode: Mode, title: string, delayMs: Delay) => {
    const { median, p90 } = summarize(series(mode, title, delayMs));
    return `${median.toFixed(1)} (${p90.toFixed(1)})`;
  };
  const depths = (mode: Mode, title: string) =>
    (measured.get(`${mode} 50 ${title}`) ?? []).map(({ serial }) => serial);
  // For a mount, the worst trial counts. In a navigation, the script may be ready before a slow browser reaches the
  // frame.
  const depth = (mode: Mode, title: string) =>
    mode === 'mount' ? Math.max(...depths(mode, title)) : quantile(depths(mode, title), 0.5);

  for (const mode of ['mount', 'navigation'] as const) {
    results.table({
      title: `${mode === 'mount' ? 'Mount' : 'Start of the navigation'} → request of the frame, ms, median (p90) of ${trials}`,
      columns: columns(
        'design',
        'requests in a row before',
        '+0 ms',
        '+50 ms',
        '× hand-made at +50',
        ...(mode === 'mount' ? ['CPU ms at +50'] : []),
      ),
      rows: wanted
        .filter(({ isNavigationOnly }) => mode === 'navigation' || isNavigationOnly !== true)
        .map(({ title }) => [
          title,
          depth(mode, title),
          show(mode, title, 0),
          show(mode, title, 50),
          ratio(mode, title, handMade)?.toFixed(2) ?? '–',
          ...(mode === 'mount' ? [summarize(cpu(title)).median.toFixed(1)] : []),
        ]),
      notes:
        mode === 'mount'
          ? ['The page and its script are there; a delay stands before every answer of app and tenant.']
          : ['Cold browser context; the HTML, its script, the key and the report are delayed alike.'],
    });
  }
  results.goals([
    {
      text: 'plain: requests in a row before the frame',
      limit: 1,
      sense: 'exactly',
      seen: depth('mount', 'ours, plain'),
    },
    {
      text: 'plain: mount → frame at 50 ms ÷ hand-made',
      limit: 1.1,
      sense: 'at most',
      seen: ratio('mount', 'ours, plain', handMade),
    },
    ...(['ours, key prefetched', 'ours, key hydrated'] as const).flatMap((title) => [
      {
        text: `${title}: requests before the frame`,
        limit: 0,
        sense: 'exactly' as const,
        seen: depth('mount', title),
      },
      {
        text: `${title}: CPU from mount to frame at 50 ms ÷ powerbi-client-react bootstrap`,
        limit: 1.2,
        sense: 'at most' as const,
        seen: ratioOf(cpu(title), cpu('powerbi-client-react, bootstrap')),
      },
    ]),
    {
      text: 'inline early fetch: navigation → frame at 50 ms ÷ hydrated',
      limit: 1.05,
      sense: 'at most',
      seen: ratio('navigation', 'ours, inline early fetch', 'ours, key hydrated'),
    },
  ]);
};
