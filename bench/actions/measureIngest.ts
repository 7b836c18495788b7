import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchResults, columns, type Goal } from '../lib/benchResults.ts';
import { runLoad } from '../lib/load.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { cores, startWorker, type Worker } from '../lib/pinned.ts';
import { median, pairedRatio, shuffled } from '../lib/stats.ts';
import type { Usage } from '../lib/worker.ts';
import type { DesignName } from './designs.ts';
import { sampleBody, token } from './sampleBody.ts';

interface Round {
  readonly cpuMicros: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const base: DesignName = 'Express, nothing stored';
const ours: DesignName = 'ours on Express';
const onPostgres: DesignName = 'ours on Express, Postgres';
const byHand: DesignName = 'Express, group commit by hand';

const requests = [
  {
    method: 'POST' as const,
    path: '/api/embed/webhook',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: sampleBody(1),
  },
];

/** Syncs per second of the disk for records of this size, one at a time: the limit of one commit per event. */
const syncsPerSecond = (seconds: number): number => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-sync-'));
  const file = openSync(join(folder, 'log'), 'a');
  const record = Buffer.alloc(600, 'x');
  const end = performance.now() + seconds * 1000;
  let count = 0;
  while (performance.now() < end) {
    writeSync(file, record);
    fdatasyncSync(file);
    count += 1;
  }
  closeSync(file);
  rmSync(folder, { recursive: true });
  return count / seconds;
};

interface Part {
  readonly title: string;
  readonly connections: number;
  readonly designs: readonly DesignName[];
}

const measurePart = async (part: Part, options: BenchOptions, results: BenchResults) => {
  const rounds = options.rounds ?? (options.quick ? 1 : 5);
  const seconds = options.quick ? 1 : 3;
  const running = new Map<DesignName, { readonly url: string; readonly worker: Worker }>();
  for (const name of part.designs) {
    const script = join(import.meta.dirname, 'serverProcess.ts');
    const worker = startWorker({ core: cores.server, script, env: {} });
    running.set(name, { url: await worker.ask<string>({ kind: 'listen', name }), worker });
  }
  const measure = async (name: DesignName, forSeconds: number): Promise<Round> => {
    const { url, worker } = running.get(name) ?? {};
    if (url === undefined || worker === undefined) throw new Error(`${name} was not started.`);
    const before = await worker.ask<Usage>({ kind: 'usage' });
    const load = await runLoad({ url, requests, connections: part.connections, seconds: forSeconds });
    const after = await worker.ask<Usage>({ kind: 'usage' });
    if (load.failures > 0) throw new Error(`${name}: ${load.failures} of ${load.requests} requests failed.`);
    return { ...load, cpuMicros: (after.cpuMicros - before.cpuMicros) / load.requests };
  };
  for (const name of part.designs) await measure(name, 1);
  const measured = new Map<DesignName, Round[]>(part.designs.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of shuffled(part.designs)) measured.get(name)?.push(await measure(name, seconds));
  for (const { worker } of running.values()) {
    await worker.ask({ kind: 'end' });
    await worker.stop();
  }

  const series = (name: DesignName, field: keyof Round) =>
    (measured.get(name) ?? []).map((round) => round[field]);
  const speed = (name: DesignName) => pairedRatio(series(name, 'perSecond'), series(base, 'perSecond'));
  /** Above 1: cheaper than the base. */
  const thrift = (name: DesignName) => pairedRatio(series(base, 'cpuMicros'), series(name, 'cpuMicros'));
  results.table({
    title: `${part.title}: ${part.connections} connections, ${rounds} rounds of ${seconds} s`,
    columns: columns('design', 'events/s', '× base', 'CPU µs/event', 'base CPU ÷ its', 'p50 ms', 'p99 ms'),
    rows: part.designs.map((name) => [
      name,
      Math.round(median(series(name, 'perSecond'))),
      speed(name),
      median(series(name, 'cpuMicros')),
      thrift(name),
      median(series(name, 'p50')),
      median(series(name, 'p99')),
    ]),
    notes: [
      'Each responds with 202 after the sync, except the base. CPU is that of all threads of the server process.',
      `${byHand} checks no token, finds no duplicate and hands nothing on: what it reaches is about the most that one can here.`,
    ],
  });
  return { perSecond: (name: DesignName) => median(series(name, 'perSecond')), thrift };
};

/** Durable ingest compared with a route that stores nothing. */
export const measureIngest = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  if (!isWanted(options, 'ingest')) return;
  results.say(
    `\nwrite + fdatasync of 600 bytes, one at a time: ${Math.round(syncsPerSecond(options.quick ? 0.3 : 2))}/s`,
  );
  const usual = await measurePart(
    {
      title: 'Ingest',
      connections: 64,
      designs: [
        base,
        'Express + node:sqlite, a commit each',
        'Express + better-sqlite3, a commit each',
        byHand,
        ours,
        'ours on Express, handlers running',
        'ours on Express, Postgres',
      ],
    },
    options,
    results,
  );
  const goalsOf = (name: DesignName): Goal[] => [
    {
      text: `${name}: events/s, 64 connections, one core`,
      limit: 2000,
      sense: 'at least',
      seen: usual.perSecond(name),
    },
    {
      text: `${name}: CPU per event ÷ that of the base`,
      limit: 2.5,
      sense: 'at most',
      seen: 1 / usual.thrift(name),
    },
  ];
  results.goals([...goalsOf(ours), ...goalsOf(onPostgres)]);
};
