import { join } from 'node:path';
import { type BenchResults, columns } from '../lib/benchResults.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { cores, startWorker, type Worker } from '../lib/pinned.ts';
import { pairedRatio, shuffled, summarize } from '../lib/stats.ts';
import type { CallsRequest, CallsResult } from './clientProcess.ts';
import type { ClientName } from './clients.ts';

const names: readonly ClientName[] = [
  'bare undici',
  'bare fetch',
  '@vitrine/portal-client',
  'stripe',
  '@workos-inc/node',
];
const flights = [1, 16] as const;
const ours = '@vitrine/portal-client';

/** The cost of one call in each client: read one user, as an object. */
export const measureCalls = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  const rounds = options.rounds ?? (options.quick ? 1 : 9);
  const calls = options.quick ? 200 : 4000;
  const wanted = names.filter((name) => isWanted(options, name));
  if (wanted.length === 0) return;
  const folder = import.meta.dirname;
  const server = startWorker({ core: cores.load, script: join(folder, 'answerProcess.ts') });
  const port = await server.ask<number>({});
  const workers = new Map<ClientName, Worker>();
  for (const name of wanted) {
    const worker = startWorker({ core: cores.server, script: join(folder, 'clientProcess.ts') });
    await worker.ask({ kind: 'start', name, port });
    workers.set(name, worker);
  }
  const run = (name: ClientName, request: CallsRequest) =>
    workers.get(name)?.ask<CallsResult>({ kind: 'calls', ...request }) ?? Promise.reject(new Error(name));

  const measured = new Map(wanted.map((name) => [name, { 1: [] as CallsResult[], 16: [] as CallsResult[] }]));
  for (const name of wanted) for (const inFlight of flights) await run(name, { calls, inFlight }); // warms up the compiler
  for (let round = 0; round < rounds; round += 1) {
    for (const inFlight of flights) {
      for (const name of shuffled(wanted))
        measured.get(name)?.[inFlight].push(await run(name, { calls, inFlight }));
    }
  }
  for (const worker of workers.values()) await worker.stop();
  await server.stop();

  const series = (name: ClientName, inFlight: 1 | 16, field: keyof CallsResult): number[] =>
    (measured.get(name)?.[inFlight] ?? []).map((result) => result[field]);
  const ratio = (name: ClientName, base: ClientName, inFlight: 1 | 16) =>
    measured.has(base)
      ? pairedRatio(series(name, inFlight, 'cpuMicros'), series(base, inFlight, 'cpuMicros'))
      : Number.NaN;
  const over = (name: ClientName) => {
    const differences = series(name, 16, 'cpuMicros').map(
      (micros, round) => micros - (series('bare undici', 16, 'cpuMicros')[round] ?? Number.NaN),
    );
    return summarize(differences).median;
  };

  results.table({
    title: `One call: read a user. Medians of ${rounds} rounds of ${calls} calls, the client on a core of its own`,
    columns: columns(
      'client',
      'CPU µs, 16 in flight',
      'lowest–highest',
      '× bare undici',
      'over bare undici, µs',
      'CPU µs, one by one',
      '× bare undici',
      'wall µs, one by one',
    ),
    rows: wanted.map((name) => {
      const many = summarize(series(name, 16, 'cpuMicros'));
      return [
        name,
        many.median.toFixed(1),
        `${many.lowest.toFixed(1)}–${many.highest.toFixed(1)}`,
        ratio(name, 'bare undici', 16).toFixed(2),
        over(name).toFixed(1),
        summarize(series(name, 1, 'cpuMicros')).median.toFixed(1),
        ratio(name, 'bare undici', 1).toFixed(2),
        summarize(series(name, 1, 'wallMicros')).median.toFixed(1),
      ];
    }),
  });
  const isThere = measured.has(ours);
  results.goals(
    (['stripe', '@workos-inc/node'] as const).map((name) => ({
      text: `CPU of a call ÷ ${name}`,
      limit: 1,
      sense: 'at most' as const,
      seen: isThere && measured.has(name) ? ratio(ours, name, 16) : undefined,
    })),
  );
};
