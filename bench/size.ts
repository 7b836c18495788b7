/**
 * The bytes that embedding a report adds to a page, compared with alternatives. All are bundled, minified and
 * compressed in the same way, in one run; react, react-dom and @tanstack/react-query are excluded, because host apps
 * already have them.
 */

import { columns, createBenchResults } from './lib/benchResults.ts';
import { bundle, type Size, sizeOf } from './lib/bundle.ts';
import { packageVersion } from './lib/machine.ts';
import { isWanted, readOptions } from './lib/options.ts';
import { prepare } from './lib/prepare.ts';

const peers = ['react', 'react-dom', '@tanstack/react-query'];

interface Entry {
  readonly name: string;
  readonly packages: readonly string[];
  /** Imports of a page with one report. */
  readonly one: string;
  /** The package's whole main entry. */
  readonly whole: string;
}

const ours: Entry = {
  name: '@vitrine/react',
  packages: ['@vitrine/react'],
  one: `export { EmbeddedReport } from '@vitrine/react'`,
  whole: `export * from '@vitrine/react'`,
};

const others: readonly Entry[] = [
  {
    name: '@superset-ui/embedded-sdk',
    packages: ['@superset-ui/embedded-sdk'],
    one: `export { embedDashboard } from '@superset-ui/embedded-sdk'`,
    whole: `export * from '@superset-ui/embedded-sdk'`,
  },
  {
    name: '@looker/embed-sdk',
    packages: ['@looker/embed-sdk'],
    one: `export { getEmbedSDK } from '@looker/embed-sdk'`,
    whole: `export * from '@looker/embed-sdk'`,
  },
  {
    name: '@metabase/embedding-sdk-react',
    packages: ['@metabase/embedding-sdk-react'],
    one: `export { MetabaseProvider, StaticDashboard } from '@metabase/embedding-sdk-react'`,
    whole: `export * from '@metabase/embedding-sdk-react'`,
  },
  {
    name: 'powerbi-client-react',
    packages: ['powerbi-client-react', 'powerbi-client'],
    one: `export { PowerBIEmbed } from 'powerbi-client-react'`,
    whole: `export * from 'powerbi-client-react'`,
  },
  {
    name: '@thoughtspot/visual-embed-sdk',
    packages: ['@thoughtspot/visual-embed-sdk'],
    one: `export { init } from '@thoughtspot/visual-embed-sdk'; export { LiveboardEmbed } from '@thoughtspot/visual-embed-sdk/react'`,
    whole: `export * from '@thoughtspot/visual-embed-sdk'; export { LiveboardEmbed, SearchEmbed, AppEmbed } from '@thoughtspot/visual-embed-sdk/react'`,
  },
];

const measure = async (
  source: string,
): Promise<{ size: Size; later: Size; externals: readonly string[] }> => {
  const { files, later, externals } = await bundle({ source, external: peers });
  return { size: sizeOf(files), later: sizeOf(later), externals };
};

prepare();
const options = readOptions();
const wanted = others.filter(({ name }) => isWanted(options, name));
const versions = Object.fromEntries(
  [ours, ...wanted]
    .flatMap(({ packages }) => packages)
    .concat('esbuild', 'react', '@tanstack/react-query')
    .map((name) => [name, packageVersion(name)]),
);
const results = createBenchResults('bench:size', options, versions);

const measured = await Promise.all(
  [ours, ...wanted].map(async (entry) => ({
    entry,
    one: await measure(entry.one),
    whole: await measure(entry.whole),
  })),
);
const withQuery = sizeOf(
  (await bundle({ source: ours.one, external: peers.filter((peer) => peer !== '@tanstack/react-query') }))
    .files,
);
const styles = sizeOf((await bundle({ source: `import '@vitrine/react/styles.css'` })).files);

const base = measured[0];
if (base === undefined) throw new Error('Nothing was measured.');

results.table({
  title: 'Bytes, react, react-dom and @tanstack/react-query left out (smallest first)',
  columns: columns(
    'package',
    'one report: min',
    'gzip -9',
    'brotli 11',
    'later, gzip',
    '× ours',
    'whole entry: min',
    'gzip -9',
    '× ours',
    'imports at run time',
  ),
  rows: measured
    .toSorted((a, b) => a.one.size.gzip - b.one.size.gzip)
    .map(({ entry, one, whole }) => [
      entry.name,
      one.size.minified,
      one.size.gzip,
      one.size.brotli,
      one.later.gzip,
      (one.size.gzip / base.one.size.gzip).toFixed(1),
      whole.size.minified,
      whole.size.gzip,
      (whole.size.gzip / base.whole.size.gzip).toFixed(1),
      whole.externals.join(' ') || 'nothing',
    ]),
  notes: [
    `With @tanstack/react-query, for an app that does not have it: ${withQuery.minified} minified, ${withQuery.gzip} gzip -9.`,
    `Our optional style sheet comes on top where it is used: ${styles.minified} minified, ${styles.gzip} gzip -9.`,
    'Later: chunks that are loaded when they come to be needed; ours brings actions with onAction.',
    'Scripts that a package loads from its own server at run time are not counted (Metabase loads one).',
  ],
});

const strangers = base.whole.externals.filter(
  (name) => !peers.some((peer) => name === peer || name.startsWith(`${peer}/`)),
);
results.goals([
  {
    text: 'import { EmbeddedReport }, loaded at once, gzip',
    limit: 6 * 1024,
    sense: 'at most',
    seen: base.one.size.gzip,
    unit: 'bytes',
  },
  {
    text: 'whole main entry, loaded at once, gzip',
    limit: 6.5 * 1024,
    sense: 'at most',
    seen: base.whole.size.gzip,
    unit: 'bytes',
  },
  { text: 'imports at run time besides the peers', limit: 0, sense: 'exactly', seen: strangers.length },
]);
results.finish();
