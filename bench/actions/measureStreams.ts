import { join } from 'node:path';
import { type BenchResults, columns } from '../lib/benchResults.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { cores, startWorker } from '../lib/pinned.ts';
import type { Usage } from '../lib/worker.ts';

/** The cost of thousands of idle streams in one process. */
export const measureStreams = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  if (!isWanted(options, 'streams')) return;
  const count = options.quick ? 500 : 5000;
  const seconds = options.quick ? 2 : 30;
  const script = (name: string) => join(import.meta.dirname, name);
  const server = startWorker({
    core: cores.server,
    script: script('serverProcess.ts'),
    nodeArgs: ['--expose-gc'],
  });
  const clients = startWorker({ core: cores.load, script: script('streamClientsProcess.ts') });
  const url = await server.ask<string>({ kind: 'listen', name: 'streams' });
  const before = await server.ask<Usage>({ kind: 'collect' });
  const opened = await clients.ask<number>({ port: Number(new URL(url).port), count });
  const after = await server.ask<Usage>({ kind: 'collect' });
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const later = await server.ask<Usage>({ kind: 'usage' });
  await server.ask({ kind: 'end' });
  await Promise.all([server.stop(), clients.stop()]);
  results.table({
    title: `${opened} idle streams on one process`,
    columns: columns('figure', 'value'),
    rows: [
      ['RSS before, MiB', before.rssMiB],
      ['RSS with all open, MiB', after.rssMiB],
      ['KiB a stream', ((after.rssMiB - before.rssMiB) * 1024) / opened],
      [`CPU at rest, % of a core over ${seconds} s`, (later.cpuMicros - after.cpuMicros) / seconds / 1e4],
    ],
  });
};
