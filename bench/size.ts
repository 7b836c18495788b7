/**
 * The bytes that embedding a report adds to a page, compared with alternatives. All are bundled, minified and
 * compressed in the same way, in one run; react, react-dom and @tanstack/react-query are excluded, because host apps
 * already have them.
 */

import { columns, createBenchResults } from './lib/benchResults.ts';
import { bundle, sizeOf } from './lib/bundle.ts';
import { packageVersion } from './lib/machine.ts';
import { isWanted, readOptions } from './lib/options.ts';
import { prepare } from './lib/prepare.ts';

const peers = ['react', 'react-dom', '@tanstack/react-query'];

interface Entry {
  readonly name: string;
  readonly packages: readonly string[];
  /** Imports of a page with one report. */
  readonly one: string;
}

const ours: Entry = {
  name: '@vitrine/react',
  packages: ['@vitrine/react'],
  one: `export { EmbeddedReport } from '@vitrine/react'`,
};

const others: readonly Entry[] = [
  {
    name: '@superset-ui/embedded-sdk',
    packages: ['@superset-ui/embedded-sdk'],
    one: `export { embedDashboard } from '@superset-ui/embedded-sdk'`,
  },
  {
    name: '@looker/embed-sdk',
    packages: ['@looker/embed-sdk'],
    one: `export { getEmbedSDK } from '@looker/embed-sdk'`,
  },
  {
    name: '@metabase/embedding-sdk-react',
    packages: ['@metabase/embedding-sdk-react'],
    one: `export { MetabaseProvider, StaticDashboard } from '@metabase/embedding-sdk-react'`,
  },
  {
    name: 'powerbi-client-react',
    packages: ['powerbi-client-react', 'powerbi-client'],
    one: `export { PowerBIEmbed } from 'powerbi-client-react'`,
  },
  {
    name: '@thoughtspot/visual-embed-sdk',
    packages: ['@thoughtspot/visual-embed-sdk'],
    one: `export { init } from '@thoughtspot/visual-embed-sdk'; export { LiveboardEmbed } from '@thoughtspot/visual-embed-sdk/react'`,
  },
];

const measure = async (source: string, external = peers) => {
  const { files, later, externals } = await bundle({ source, external });
  return { size: sizeOf(files), later: sizeOf(later), externals };
};

prepare();
const options = readOptions();
const entries = [ours, ...others.filter(({ name }) => isWanted(options, name))];
const names = [...entries.flatMap(({ packages }) => packages), 'esbuild', 'react', '@tanstack/react-query'];
const versions = Object.fromEntries(names.map((name) => [name, packageVersion(name)]));
const results = createBenchResults('bench:size', options, versions);

const measured = await Promise.all(entries.map(async ({ name, one }) => ({ name, ...(await measure(one)) })));
const base = await measure(ours.one);
const whole = await measure(`export * from '@vitrine/react'`);
const withQuery = await measure(ours.one, ['react', 'react-dom']);
const styles = await measure(`import '@vitrine/react/styles.css'`);

results.table({
  title: 'One report: bytes, react, react-dom and @tanstack/react-query left out (smallest first)',
  columns: columns('package', 'minified', 'gzip -9', 'brotli 11', 'later, gzip', '× ours', 'imports'),
  rows: measured
    .toSorted((a, b) => a.size.gzip - b.size.gzip)
    .map(({ name, size, later, externals }) => [
      name,
      size.minified,
      size.gzip,
      size.brotli,
      later.gzip,
      size.gzip / base.size.gzip,
      externals.join(' ') || 'nothing',
    ]),
  notes: [
    `Our whole main entry: ${whole.size.gzip} gzip -9. With @tanstack/react-query, one report: ${withQuery.size.gzip}.`,
    `Our optional style sheet comes on top where it is used: ${styles.size.gzip} gzip -9.`,
    'Later: chunks that are loaded when they come to be needed; ours brings actions with onAction.',
    'Scripts that a package loads from its own server at run time are not counted (Metabase loads one).',
  ],
});

const goal = (text: string, kibibytes: number, seen: number) =>
  ({ text, limit: kibibytes * 1024, sense: 'at most', seen, unit: 'bytes' }) as const;
results.goals([
  goal('import { EmbeddedReport }, loaded at once, gzip', 7, base.size.gzip),
  goal('whole main entry, loaded at once, gzip', 7.8, whole.size.gzip),
]);
results.finish();
