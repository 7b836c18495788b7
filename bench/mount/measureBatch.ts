import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { type BenchResults, columns } from '../lib/benchResults.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { cores, startWorker, type Worker } from '../lib/pinned.ts';
import { pairedRatio, shuffled, summarize } from '../lib/stats.ts';
import { envelope } from '../server/envelope.ts';
import type { BatchHostUsage } from './batchHost.ts';
import { bundlePage } from './designs.ts';
import { makeCertificate } from './farTenant.ts';

const reports = 30;
const mintMs = 50;
const protocols = ['HTTP/1.1', 'HTTP/2'] as const;
const ways = ['one by one', 'batchKeys()'] as const;
type Way = (typeof ways)[number];

interface Trial {
  readonly requests: number;
  /** Time until the browser requests the last frame. */
  readonly lastRequestMs: number;
  /** Time until the last frame has loaded. */
  readonly lastFrameMs: number;
  readonly serverCpuMs: number;
}

declare global {
  interface Window {
    benchLoads: number[];
  }
}

/** A portal that delays keys but not reports. */
const startPortal = async () => {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'POST')
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(envelope), mintMs);
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Report</title>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { server, url: `http://localhost:${port}` };
};

const runTrial = async (
  browser: Browser,
  host: { worker: Worker; url: string },
  way: Way,
): Promise<Trial> => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    await page.goto(`${host.url}/?reports=${reports}${way === 'one by one' ? '' : '&batched'}`, {
      waitUntil: 'load',
    });
    const before = await host.worker.ask<BatchHostUsage>({ kind: 'usage' });
    const mountedAt = await page.evaluate(() => window.benchPage.mount());
    await page.waitForFunction((count) => window.benchLoads.length === count, reports, { polling: 10 });
    const after = await host.worker.ask<BatchHostUsage>({ kind: 'usage' });
    const [lastRequest, lastFrame] = await page.evaluate(() => {
      const entries = performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/report/'));
      return [
        Math.max(...entries.map(({ startTime }) => startTime)),
        Math.max(...window.benchLoads),
      ] as const;
    });
    return {
      requests: after.keyRequests - before.keyRequests,
      lastRequestMs: lastRequest - mountedAt,
      lastFrameMs: lastFrame - mountedAt,
      serverCpuMs: (after.cpuMicros - before.cpuMicros) / 1000,
    };
  } finally {
    await context.close();
  }
};

/** A page with many different reports that requests their keys one by one or in one request. */
export const measureBatch = async (
  browser: Browser,
  options: BenchOptions,
  results: BenchResults,
): Promise<void> => {
  if (!isWanted(options, 'batch')) return;
  const trials = options.rounds ?? (options.quick ? 1 : 15);
  const [portal, script, certificate] = await Promise.all([
    startPortal(),
    bundlePage('manyReports.jsx'),
    makeCertificate(),
  ]);
  const rows: (string | number)[][] = [];
  for (const protocol of protocols) {
    const worker = startWorker({ core: cores.server, script: join(import.meta.dirname, 'batchHost.ts') });
    const secure = protocol === 'HTTP/2' && { certificate };
    const url = await worker.ask<string>({ kind: 'listen', tenantUrl: portal.url, script, ...secure });
    const measured: Record<Way, Trial[]> = { 'one by one': [], 'batchKeys()': [] };
    const warmUps = options.quick ? 0 : 2;
    for (let trial = 0; trial < trials + warmUps; trial += 1)
      for (const way of shuffled(ways)) {
        const result = await runTrial(browser, { worker, url }, way);
        if (trial >= warmUps) measured[way].push(result);
      }
    await worker.stop();
    const series = (way: Way, field: keyof Trial) => measured[way].map((trial) => trial[field]);
    const show = (way: Way, field: keyof Trial) => {
      const { median, lowest, highest } = summarize(series(way, field));
      const ratio = pairedRatio(series(way, field), series('one by one', field));
      return `${median.toFixed(1)} (${lowest.toFixed(1)}–${highest.toFixed(1)}): ${ratio.toFixed(2)} ×`;
    };
    for (const way of ways)
      rows.push([
        `${protocol}, ${way}`,
        summarize(series(way, 'requests')).median,
        show(way, 'lastRequestMs'),
        show(way, 'lastFrameMs'),
        show(way, 'serverCpuMs'),
      ]);
  }
  portal.server.close();
  portal.server.closeAllConnections();
  results.table({
    title: `${reports} different reports, a key takes ${mintMs} ms: median (lowest–highest) of ${trials}: × one by one`,
    columns: columns(
      'page',
      'requests for keys',
      'mount → last frame asked for, ms',
      '→ loaded, ms',
      'CPU of the server, ms',
    ),
    rows,
  });
};
