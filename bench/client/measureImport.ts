import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type BenchResults, columns } from '../lib/benchResults.ts';
import { bundle, type Size, sizeOf } from '../lib/bundle.ts';
import { packageFolder } from '../lib/machine.ts';
import { type BenchOptions, isWanted } from '../lib/options.ts';
import { shuffled, summarize } from '../lib/stats.ts';

const names = ['@vitrine/portal-client', 'stripe', '@workos-inc/node'] as const;

const script = (name: string) => `
  const startedAt = performance.now();
  await import(${JSON.stringify(name)});
  const ms = performance.now() - startedAt;
  console.log(JSON.stringify({ ms, rssMiB: process.memoryUsage.rss() / 2 ** 20 }));`;

/** Our client has its own undici, which may differ from the one that bench would resolve. */
const specifier = (name: string): string =>
  name === 'undici' ? join(packageFolder('undici', '@vitrine/portal-client'), 'index.js') : name;

const importOnce = (name: string): { ms: number; rssMiB: number } =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', script(specifier(name))], {
      encoding: 'utf8',
      cwd: join(import.meta.dirname, '..'),
    }),
  );

const sizeForNode = async (source: string, external: readonly string[] = []): Promise<Size> => {
  const { files, later } = await bundle({ source, platform: 'node', external });
  return sizeOf([...files, ...later]);
};

/** The fixed cost of a client: its import time in a fresh process, and its size. */
export const measureImport = async (options: BenchOptions, results: BenchResults): Promise<void> => {
  if (!isWanted(options, 'import')) return;
  const rounds = options.rounds ?? (options.quick ? 1 : 15);
  const everything = ['node:url', 'undici', ...names];
  const measured = new Map<string, { ms: number; rssMiB: number }[]>(everything.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(everything)) measured.get(name)?.push(importOnce(name));
  }
  const summary = (name: string, field: 'ms' | 'rssMiB') =>
    summarize((measured.get(name) ?? []).map((one) => one[field]));
  const rows = [];
  for (const name of everything) {
    const isOurs = name === '@vitrine/portal-client';
    const source = `export * from ${JSON.stringify(specifier(name))}`;
    const whole = name === 'node:url' ? undefined : await sizeForNode(source);
    const alone = isOurs ? await sizeForNode(source, ['undici']) : undefined;
    const ms = summary(name, 'ms');
    rows.push([
      name === 'node:url' ? 'nothing (a module of Node)' : name,
      ms.median.toFixed(1),
      `${ms.lowest.toFixed(1)}–${ms.highest.toFixed(1)}`,
      summary(name, 'rssMiB').median.toFixed(1),
      whole === undefined ? '–' : whole.minified,
      whole === undefined ? '–' : whole.gzip,
      alone === undefined ? '–' : `${alone.minified} (${alone.gzip})`,
    ]);
  }
  results.table({
    title: `Import in a fresh process, medians of ${rounds}; size bundled and minified for Node`,
    columns: columns(
      'package',
      'import ms',
      'lowest–highest',
      'RSS MiB',
      'bytes',
      'gzip -9',
      'without undici (gzip)',
    ),
    rows,
  });
};
