import { type BenchResults, columns } from '../lib/benchResults.ts';
import { runLoad } from '../lib/load.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { median, pairedRatio, shuffled, summarize } from '../lib/stats.ts';
import { type DesignName, designs } from './designs.ts';
import { keyRequests, startDesign, startPortal } from './startDesign.ts';

interface Round {
  readonly cpuMicros: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The design's p50 less that of the portal asked directly by the same load in the same round, in ms. */
  readonly addedMs: number;
}

const connections = 64;
const requests = keyRequests(1000);

const allDesigns = Object.keys(designs) as DesignName[]; // its type says so
/** The time that a slow portal leaves to a design needs no comparison of all of them. */
const slowDesigns = ['Express + undici Pool', 'ours on Express'] as const;

/** Rounds of the wanted designs before a portal with a delay, each round in a new order. */
const measureRounds = async (
  options: BenchOptions,
  names: readonly DesignName[],
  delayMs: number,
): Promise<Map<DesignName, Round[]>> => {
  const wanted = names.filter((name) => isWanted(options, name));
  const amount = options.quick ? 200 : 3000;
  const portal = await startPortal(delayMs);
  const servers = await Promise.all(
    wanted.map((name) => startDesign(name, { upstream: portal.url, connections: 128 })),
  );
  const load = async (url: string) => {
    const result = await runLoad({ url, requests, connections, amount });
    if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests failed.`);
    return result;
  };
  for (const { url } of servers) await load(url); // warms up the compiler
  const measured = new Map<DesignName, Round[]>(wanted.map((name) => [name, []]));
  for (let round = 0; round < (options.rounds ?? (options.quick ? 1 : 3)); round += 1) {
    const alone = await load(portal.url);
    for (const { name, url, usage } of shuffled(servers)) {
      const before = await usage();
      const result = await load(url);
      const cpuMicros = ((await usage()).cpuMicros - before.cpuMicros) / result.requests;
      measured.get(name)?.push({ ...result, cpuMicros, addedMs: result.p50 - alone.p50 });
    }
  }
  for (const { worker } of [...servers, portal]) await worker.stop();
  return measured;
};

/** CPU of a key with a portal that answers at once, and the time added to a portal that takes 50 ms. */
export const measureKeys = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  const atOnce = await measureRounds(options, allDesigns, 0);
  const slow = await measureRounds(options, slowDesigns, 50);
  const series = (name: DesignName) => (atOnce.get(name) ?? []).map(({ cpuMicros }) => cpuMicros);
  const ratio = (name: DesignName, base: DesignName) => pairedRatio(series(name), series(base));
  const added = (name: DesignName) => median((slow.get(name) ?? []).map(({ addedMs }) => addedMs));

  results.table({
    title: `A key: ${connections} connections, 1,000 viewers`,
    columns: columns(
      'design',
      'CPU µs/request',
      'lowest',
      'highest',
      '÷ by hand',
      'req/s',
      'p50 ms',
      'p99 ms',
      'added at 50 ms',
    ),
    rows: [...atOnce].map(([name, rounds]) => {
      const cpu = summarize(series(name));
      const middle = (pick: (round: Round) => number) => median(rounds.map(pick));
      return [
        name,
        cpu.median,
        cpu.lowest,
        cpu.highest,
        ratio(name, 'Express + undici Pool'),
        Math.round(middle(({ perSecond }) => perSecond)),
        middle(({ p50 }) => p50),
        middle(({ p99 }) => p99),
        added(name),
      ];
    }),
    notes: [
      'CPU is user + system time of the server process ÷ requests. Ratios are medians of the ratios round by round.',
      'Latencies are those of a saturated server; the portal is a Node server on the load generator’s core.',
    ],
  });
  results.goals([
    {
      text: "a key on Express, CPU ÷ the same call by hand with undici's Pool",
      limit: 1.25,
      sense: 'at most',
      seen: ratio('ours on Express', 'Express + undici Pool'),
    },
    {
      text: 'a key on Express, times cheaper than Express + native fetch',
      limit: 3,
      sense: 'at least',
      seen: ratio('Express + fetch', 'ours on Express'),
    },
    {
      text: 'added p50 on Express, 64 in flight',
      limit: 5,
      sense: 'at most',
      seen: added('ours on Express'),
      unit: 'ms',
    },
  ]);
};
