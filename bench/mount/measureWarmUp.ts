import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserType } from 'playwright';
import { type BenchResults, columns } from '../lib/benchResults.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { pairedRatio, shuffled, summarize } from '../lib/stats.ts';
import { bundlePage } from './designs.ts';
import { type FarTenant, makeCertificate, startFarTenant } from './farTenant.ts';
import { type HostApp, startHostApp, warmUpHtml } from './hostApp.ts';

const roundTripMs = 50;
const mintMs = 200;
const ways = ['nothing', 'preconnect', 'hidden frame', 'ours, tenant unknown', 'ours, tenant known'] as const;
type Way = (typeof ways)[number];
const sites = ['cross-site', 'same-site'] as const;
type Site = (typeof sites)[number];

interface Trial {
  readonly srcToLoaded: number;
  readonly mountToLoaded: number;
  readonly connections: number;
}

interface TrialOptions {
  readonly browserType: BrowserType;
  readonly launch: { readonly args: string[]; readonly executablePath?: string };
  readonly app: HostApp;
  readonly tenant: FarTenant;
  readonly way: Way;
}

declare global {
  interface Window {
    benchSeen: { src?: number; loaded?: number };
  }
}

/** In a fresh profile, not a context of a running browser: contexts share connections, and do not preconnect. */
const runTrial = async ({ browserType, launch, app, tenant, way }: TrialOptions): Promise<Trial> => {
  const profile = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  // As a flag: with Playwright's own option, the first handshake fails and the reconnect would be measured.
  const args = [...launch.args, '--ignore-certificate-errors'];
  const context = await browserType.launchPersistentContext(profile, { ...launch, args });
  try {
    const page = await context.newPage();
    app.page = warmUpHtml(way, tenant.url);
    tenant.connections = 0;
    await page.goto(app.url, { waitUntil: 'load' });
    const mountedAt = await page.evaluate(() => window.benchPage.mount());
    await page.waitForFunction(() => window.benchSeen.loaded !== undefined, undefined, { polling: 10 });
    const { src = Number.NaN, loaded = Number.NaN } = await page.evaluate(() => window.benchSeen);
    return { srcToLoaded: loaded - src, mountToLoaded: loaded - mountedAt, connections: tenant.connections };
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
};

/** Load time of a report after its URL is known, with and without a warmed-up connection. */
export const measureWarmUp = async (
  { browserType, launch }: Pick<TrialOptions, 'browserType' | 'launch'>,
  options: BenchOptions,
  results: BenchResults,
): Promise<void> => {
  if (!isWanted(options, 'warm-up')) return;
  const trials = options.rounds ?? (options.quick ? 1 : 15);
  const certificate = await makeCertificate();
  const tenant = await startFarTenant(certificate, roundTripMs);
  const script = await bundlePage('warmUp.jsx');
  const shared = { tenantUrl: tenant.url, script, mintMs };
  const apps: Record<Site, HostApp> = {
    'cross-site': await startHostApp({ ...shared, host: '127.0.0.1' }),
    'same-site': await startHostApp({ ...shared, host: 'localhost', certificate }),
  };
  const measured: Record<Site, Map<Way, Trial[]>> = {
    'cross-site': new Map(ways.map((way) => [way, []])),
    'same-site': new Map(ways.map((way) => [way, []])),
  };
  for (let trial = 0; trial < trials; trial += 1) {
    for (const site of sites) {
      for (const way of shuffled(ways)) {
        const result = await runTrial({ browserType, launch, tenant, way, app: apps[site] });
        measured[site].get(way)?.push(result);
      }
    }
  }
  for (const server of [tenant, ...Object.values(apps)]) server.close();

  const series = (site: Site, way: Way, field: keyof Trial): number[] =>
    (measured[site].get(way) ?? []).map((trial) => trial[field]);
  const ratio = (site: Site, way: Way, base: Way) =>
    pairedRatio(series(site, way, 'srcToLoaded'), series(site, base, 'srcToLoaded'));
  const show = (values: number[]) => {
    const { median, p90 } = summarize(values);
    return `${median.toFixed(0)} (${p90.toFixed(0)})`;
  };
  results.table({
    title: `A tenant ${roundTripMs} ms away behind TLS 1.3, a key takes ${mintMs} ms: ms, median (p90) of ${trials}`,
    columns: columns(
      'warmed by',
      ...sites.flatMap((site) => [`${site}: src → loaded`, '× nothing', 'mount → loaded', 'connections']),
    ),
    rows: ways.map((way) => [
      way,
      ...sites.flatMap((site) => [
        show(series(site, way, 'srcToLoaded')),
        ratio(site, way, 'nothing').toFixed(2),
        show(series(site, way, 'mountToLoaded')),
        summarize(series(site, way, 'connections')).median,
      ]),
    ]),
    notes: ['A fresh browser profile for every trial.'],
  });
  results.goals(
    sites.map((site) => ({
      text: `${site} tenant: src → loaded with warm-up ÷ without, ours`,
      limit: 0.5,
      sense: 'at most' as const,
      seen: ratio(site, 'ours, tenant known', 'ours, tenant unknown'),
    })),
  );
};
