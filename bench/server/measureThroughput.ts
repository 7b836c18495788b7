import { type BenchResults, columns, type Goal } from '../lib/benchResults.ts';
import { runLoad } from '../lib/load.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { median, pairedRatio, shuffled, summarize } from '../lib/stats.ts';
import type { DesignName } from './designs.ts';
import { hasNginx, startNginx } from './nginxUpstream.ts';
import { keyRequests, type RunningDesign, startDesign, startNodeUpstream } from './startDesign.ts';

/** A row of the table: a design under a load. */
interface Row {
  readonly title: string;
  readonly design: DesignName;
  readonly viewers: number;
}

const many = 1000;

const rows: readonly Row[] = [
  { title: 'bare node:http hello', design: 'bare hello', viewers: many },
  { title: 'Express floor (writeHead/end)', design: 'Express floor', viewers: many },
  { title: 'Express JSON hello', design: 'Express hello', viewers: many },
  { title: 'Express + native fetch', design: 'Express + fetch', viewers: many },
  { title: 'Express + undici Pool', design: 'Express + undici Pool', viewers: many },
  { title: 'http-proxy-middleware', design: 'http-proxy-middleware', viewers: many },
  { title: '@fastify/http-proxy', design: '@fastify/http-proxy', viewers: many },
  { title: 'bare + undici dispatch', design: 'bare + undici dispatch', viewers: many },
  { title: 'Express + undici dispatch', design: 'Express + undici dispatch', viewers: many },
  { title: 'ours on Express', design: 'ours on Express', viewers: many },
  { title: 'ours on Express, coalesced', design: 'ours on Express', viewers: 1 },
  { title: 'ours as a fetch handler', design: 'ours as fetch handler', viewers: many },
  { title: 'ours on bare node:http', design: 'ours on bare http', viewers: many },
];

interface Round {
  readonly cpuMicros: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const connections = 64;

const measure = async (server: RunningDesign, row: Row, seconds: number): Promise<Round> => {
  const before = await server.usage();
  const load = await runLoad({ url: server.url, requests: keyRequests(row.viewers), connections, seconds });
  const after = await server.usage();
  if (load.failures > 0)
    throw new Error(`${row.title}: ${load.failures} of ${load.requests} requests failed.`);
  return { ...load, cpuMicros: (after.cpuMicros - before.cpuMicros) / load.requests };
};

const shown = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(2));

/** CPU per request and requests per second of every design, in rounds with a new order. */
export const measureThroughput = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  const rounds = options.rounds ?? (options.quick ? 1 : 7);
  const seconds = options.quick ? 1 : 3;
  const wanted = rows.filter(({ title }) => isWanted(options, title));
  if (wanted.length === 0) return;

  const portal = hasNginx ? { ...(await startNginx()), worker: undefined } : await startNodeUpstream(0);
  const servers = new Map<DesignName, RunningDesign>();
  for (const { design } of wanted) {
    if (servers.has(design)) continue;
    servers.set(design, await startDesign(design, { upstream: portal.url, connections: 128 }));
  }
  const of = ({ design }: Row): RunningDesign => {
    const server = servers.get(design);
    if (server === undefined) throw new Error(`${design} was not started.`);
    return server;
  };

  for (const row of wanted) await measure(of(row), row, options.quick ? 1 : 2); // warms up the compiler
  const measured = new Map<Row, Round[]>(wanted.map((row) => [row, []]));
  for (let round = 0; round < rounds; round += 1) {
    process.stderr.write(`throughput: round ${round + 1} of ${rounds}\n`);
    for (const row of shuffled(wanted)) measured.get(row)?.push(await measure(of(row), row, seconds));
  }

  for (const { worker } of servers.values()) await worker.stop();
  await ('stop' in portal ? portal.stop() : portal.worker.stop());

  const cpu = (title: string) =>
    measured.get(wanted.find((row) => row.title === title) ?? ({} as Row))?.map(({ cpuMicros }) => cpuMicros);
  const ratio = (title: string, base: string): number | undefined => {
    const [values, baseline] = [cpu(title), cpu(base)];
    return values === undefined || baseline === undefined ? undefined : pairedRatio(values, baseline);
  };

  const floor = 'Express + undici dispatch';
  const floorRatio = ratio(floor, 'Express JSON hello');

  results.table({
    title: `Keys: ${connections} connections, ${many} viewers, ${rounds} rounds of ${seconds} s, portal answers at once`,
    columns: columns(
      'design',
      'CPU µs/request',
      'lowest–highest',
      '× Express hello',
      '× bare dispatch',
      'req/s',
      'p50 ms',
      'p99 ms',
    ),
    rows: wanted.map((row) => {
      const series = measured.get(row) ?? [];
      const micros = summarize(series.map(({ cpuMicros }) => cpuMicros));
      return [
        row.title,
        micros.median.toFixed(1),
        `${micros.lowest.toFixed(1)}–${micros.highest.toFixed(1)}`,
        shown(ratio(row.title, 'Express JSON hello')),
        shown(ratio(row.title, 'bare + undici dispatch')),
        Math.round(median(series.map(({ perSecond }) => perSecond))),
        median(series.map(({ p50 }) => p50)),
        median(series.map(({ p99 }) => p99)),
      ];
    }),
    notes: [
      ...(floorRatio === undefined
        ? []
        : [
            `${floor} is a key by hand with no check at all: ${floorRatio.toFixed(2)} × Express JSON hello is about the least that one can cost here.`,
          ]),
      'CPU is user + system time of the server process ÷ requests. Ratios are medians of the ratios round by round: below 1 is cheaper.',
      `The portal is ${hasNginx ? 'nginx' : 'a Node server (install nginx for higher rates)'} on the load generator's core. Latencies are those of a saturated server.`,
    ],
  });

  const ours = 'ours on Express';
  const goals: readonly Goal[] = [
    {
      text: "a key on Express, CPU ÷ the same call by hand with undici's Pool",
      limit: 1.25,
      sense: 'at most',
      seen: ratio(ours, 'Express + undici Pool'),
    },
    {
      text: "a key on Express, CPU ÷ the same call by hand with undici's lowest call",
      limit: 1.25,
      sense: 'at most',
      seen: ratio(ours, floor),
    },
    {
      text: 'a key on Express, times cheaper than Express + native fetch',
      limit: 3,
      sense: 'at least',
      seen: ratio('Express + native fetch', ours),
    },
  ];
  results.goals(goals);
};
