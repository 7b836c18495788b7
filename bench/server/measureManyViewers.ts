import { join } from 'node:path';
import { type BenchResults, columns } from '../lib/benchResults.ts';
import { runLoad } from '../lib/load.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { cores, startWorker } from '../lib/pinned.ts';
import { summarize } from '../lib/stats.ts';
import type { DesignName } from './designs.ts';
import type { UpstreamCounts } from './nodeUpstream.ts';
import { keyRequests, startDesign, startNodeUpstream } from './startDesign.ts';
import type { ViewersRequest, ViewersResult } from './viewersProcess.ts';

const connections = 64;
const upstreamDelayMs = 50;
const smallYoungSpace = '--max-semi-space-size=8';

interface Round extends ViewersResult, UpstreamCounts {
  /** Before the load, with a warm compiler. */
  readonly idleRssMiB: number;
  readonly peakRssMiB: number;
}

interface Crowd extends Omit<ViewersRequest, 'url'> {
  readonly design: DesignName;
  readonly delayMs: number;
  readonly nodeArgs?: readonly string[];
}

const runOnce = async ({ design, delayMs, nodeArgs = [], ...request }: Crowd): Promise<Round> => {
  const portal = await startNodeUpstream(0);
  const server = await startDesign(
    design,
    { upstream: portal.url, connections, maxQueue: request.viewers },
    nodeArgs,
  );
  const crowd = startWorker({ core: cores.load, script: join(import.meta.dirname, 'viewersProcess.ts') });
  try {
    await runLoad({ url: server.url, requests: keyRequests(1000), connections: 16, seconds: 1 });
    await portal.worker.ask({ kind: 'counts' });
    await portal.worker.ask({ kind: 'delay', delayMs });
    const { rssMiB: idleRssMiB } = await server.usage();
    const result = await crowd.ask<ViewersResult>({ ...request, url: server.url });
    const counts = await portal.worker.ask<UpstreamCounts>({ kind: 'counts' });
    const { peakRssMiB } = await server.usage();
    return { ...result, ...counts, idleRssMiB, peakRssMiB };
  } finally {
    await Promise.all([crowd.stop(), server.worker.stop(), portal.worker.stop()]);
  }
};

/** Ten thousand viewers who open a report at once: all get a response, in bounded time and memory. */
export const measureManyViewers = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  if (!isWanted(options, 'viewers')) return;
  const viewers = options.quick ? 1000 : 10_000;
  const rounds = options.rounds ?? (options.quick ? 1 : 3);
  const different: Round[] = [];
  const same: Round[] = [];
  const byHand: Round[] = [];
  const sparing: Round[] = [];
  const crowd = { viewers, isOne: false, delayMs: upstreamDelayMs };
  for (let round = 0; round < rounds; round += 1) {
    different.push(await runOnce({ ...crowd, design: 'ours on Express' }));
    byHand.push(await runOnce({ ...crowd, design: 'Express + undici Pool' }));
    sparing.push(await runOnce({ ...crowd, design: 'ours on Express', nodeArgs: [smallYoungSpace] }));
    // The portal is so slow that the last viewer still joins the first call.
    same.push(await runOnce({ viewers, isOne: true, delayMs: 6000, design: 'ours on Express' }));
  }
  const idealMs = (viewers / connections) * upstreamDelayMs;
  const row = (title: string, series: readonly Round[], ideal: number | undefined) => {
    const total = summarize(series.map(({ totalMs }) => totalMs));
    return [
      title,
      Math.min(...series.map(({ answers }) => answers['200'] ?? 0)),
      Math.round(total.median),
      `${Math.round(total.lowest)}–${Math.round(total.highest)}`,
      ideal === undefined ? '–' : (total.median / ideal).toFixed(2),
      Math.max(...series.map(({ calls }) => calls)),
      Math.max(...series.map(({ mostSockets }) => mostSockets)),
      Math.round(Math.max(...series.map(({ peakRssMiB }) => peakRssMiB))),
      Math.round(Math.max(...series.map(({ peakRssMiB, idleRssMiB }) => peakRssMiB - idleRssMiB))),
    ];
  };
  results.table({
    title: `${viewers} viewers in one moment, ${connections} connections to the portal, ${rounds} rounds`,
    columns: columns(
      'viewers',
      'responses with 200',
      'total ms',
      'lowest–highest',
      '× ideal',
      'portal calls',
      'portal sockets',
      'peak RSS MiB',
      'over idle MiB',
    ),
    rows: [
      row(`ours, all different, portal takes ${upstreamDelayMs} ms`, different, idealMs),
      row(`ours, all different, node ${smallYoungSpace}`, sparing, idealMs),
      row(`Express + undici Pool, all different, ${upstreamDelayMs} ms`, byHand, idealMs),
      row('ours, all the same viewer and report, portal takes 6 s', same, undefined),
    ],
    notes: [
      `Ideal is ${viewers} ÷ ${connections} × ${upstreamDelayMs} ms = ${Math.round(idealMs)} ms. RSS is the highest that the server process ever had.`,
    ],
  });
  const worst = (pick: (round: Round) => number, series = different) => Math.max(...series.map(pick));
  results.goals([
    {
      text: 'answers other than 200',
      limit: 0,
      sense: 'exactly',
      seen: worst(({ answers }) => viewers - (answers['200'] ?? 0), [...different, ...same]),
    },
    {
      text: 'connections to the portal',
      limit: connections,
      sense: 'at most',
      seen: worst((one) => one.mostSockets),
    },
    {
      text: 'peak memory ÷ that of Express + undici Pool',
      limit: 1.15,
      sense: 'at most',
      seen: worst((one) => one.peakRssMiB) / worst((one) => one.peakRssMiB, byHand),
    },
    {
      text: 'portal calls for one viewer asking ten thousand times',
      limit: 1,
      sense: 'exactly',
      seen: worst((one) => one.calls, same),
    },
  ]);
};
