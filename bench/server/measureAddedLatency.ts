import { type BenchResults, columns } from '../lib/benchResults.ts';
import { runLoad } from '../lib/load.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { median, shuffled, summarize } from '../lib/stats.ts';
import type { DesignName } from './designs.ts';
import { keyRequests, type RunningDesign, startDesign, startNodeUpstream } from './startDesign.ts';

const upstreamDelayMs = 50;
const loads = [64, 256] as const;

interface Row {
  readonly title: string;
  readonly design: DesignName;
  readonly viewers: number;
  readonly connections: number;
}

const rows: readonly Row[] = [
  { title: 'Express + native fetch', design: 'Express + fetch', viewers: 1000, connections: 256 },
  {
    title: 'Express + undici Pool, 256 connections',
    design: 'Express + undici Pool',
    viewers: 1000,
    connections: 256,
  },
  { title: 'ours on Express, 256 connections', design: 'ours on Express', viewers: 1000, connections: 256 },
  { title: 'ours on Express, 64 connections', design: 'ours on Express', viewers: 1000, connections: 64 },
  {
    title: 'ours on Express, one viewer (coalesced)',
    design: 'ours on Express',
    viewers: 1,
    connections: 256,
  },
];

interface Round {
  readonly added: number;
  readonly perSecond: number;
  readonly perCall: number;
}

/** Milliseconds that a proxy adds to the median response of a portal that takes 50 ms. */
export const measureAddedLatency = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  const rounds = options.rounds ?? (options.quick ? 1 : 5);
  const seconds = options.quick ? 1 : 3;
  const wanted = rows.filter(({ title }) => isWanted(options, title));
  if (wanted.length === 0) return;

  const portal = await startNodeUpstream(upstreamDelayMs);
  const servers = new Map<Row, RunningDesign>();
  for (const row of wanted) {
    servers.set(row, await startDesign(row.design, { upstream: portal.url, connections: row.connections }));
  }
  const run = (url: string, row: Pick<Row, 'viewers'>, connections: number) =>
    runLoad({ url, requests: keyRequests(row.viewers), connections, seconds });

  const measured = new Map<Row, Record<(typeof loads)[number], Round[]>>(
    wanted.map((row) => [row, { 64: [], 256: [] }]),
  );
  for (const server of servers.values()) await run(server.url, { viewers: 1000 }, 256);
  for (let round = 0; round < rounds; round += 1) {
    for (const connections of loads) {
      const alone = await run(portal.url, { viewers: 1000 }, connections);
      for (const [row, server] of shuffled([...servers])) {
        await portal.worker.ask({ kind: 'counts' });
        const load = await run(server.url, row, connections);
        const { calls } = await portal.worker.ask<{ calls: number }>({ kind: 'counts' });
        if (load.failures > 0) throw new Error(`${row.title}: ${load.failures} requests failed.`);
        const perCall = load.requests / calls;
        measured
          .get(row)
          ?.[connections].push({ added: load.p50 - alone.p50, perSecond: load.perSecond, perCall });
      }
    }
  }
  for (const { worker } of servers.values()) await worker.stop();
  await portal.worker.stop();

  const added = (row: Row, load: (typeof loads)[number]) =>
    summarize((measured.get(row)?.[load] ?? []).map((one) => one.added));
  const middle = (row: Row, field: 'perSecond' | 'perCall') =>
    median((measured.get(row)?.[256] ?? []).map((one) => one[field]));

  results.table({
    title: `Added to a portal that takes ${upstreamDelayMs} ms: p50 in ms, ${rounds} rounds of ${seconds} s`,
    columns: columns(
      'design',
      '64 in flight',
      'lowest–highest',
      '256 in flight',
      'lowest–highest',
      'req/s at 256',
      'requests ÷ portal call',
    ),
    rows: wanted.map((row) => {
      const [at64, at256] = [added(row, 64), added(row, 256)];
      const range = ({ lowest, highest }: typeof at64) => `${lowest.toFixed(1)}–${highest.toFixed(1)}`;
      return [
        row.title,
        `+${at64.median.toFixed(1)}`,
        range(at64),
        `+${at256.median.toFixed(1)}`,
        range(at256),
        Math.round(middle(row, 'perSecond')),
        middle(row, 'perCall').toFixed(1),
      ];
    }),
    notes: [
      "Added is the design's p50 less that of the portal asked directly by the same load in the same round.",
    ],
  });
  const ours = wanted.find(({ title }) => title === 'ours on Express, 64 connections');
  results.goals([
    {
      text: 'added p50 on Express, 64 in flight',
      limit: 5,
      sense: 'at most',
      seen: ours && added(ours, 64).median,
      unit: 'ms',
    },
  ]);
};
