import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { findComponents, findForeignLicenses } from '../../scripts/licenses.ts';
import { findContentProblems, type PackedPackage } from '../../scripts/packContents.ts';

const packed = (...paths: string[]): PackedPackage => ({
  name: '@vitrine/sample',
  version: '1.0.0',
  filename: 'sample.tgz',
  size: 1000,
  files: ['package.json', 'README.md', 'LICENSE', 'dist/index.js', ...paths].map((path) => ({
    path,
    size: 1,
  })),
});

it('accepts a package of builds, declarations and sources', () => {
  expect(
    findContentProblems(
      packed('dist/index.cjs', 'dist/index.d.cts', 'dist/licenses/zod.txt', 'lib/index.ts'),
    ),
  ).toEqual([]);
});

it.each(['dist/.tsbuildinfo', '.types/index.d.ts', '.env', 'test/secret.ts', 'lib/notes.txt'])(
  'rejects a package that contains %s',
  (path) => {
    expect(findContentProblems(packed(path)).join()).toContain(path);
  },
);

it('rejects a package above its size budget', () => {
  expect(findContentProblems({ ...packed(), size: 10_000_000 }).join()).toContain('budget');
});

it('names licenses that hosts may not accept', () => {
  const license = (id: string) => [{ license: { id } }];
  expect(
    findForeignLicenses([
      { name: 'fine', licenses: [{ expression: '(MIT OR GPL-3.0)' }] },
      { name: 'copyleft', licenses: license('LGPL-3.0') },
      { name: 'both', licenses: [...license('MIT'), ...license('GPL-3.0')] },
      { name: 'unnamed' },
    ]),
  ).toEqual(['copyleft: LGPL-3.0', 'both: MIT, GPL-3.0', 'unnamed: no license']);
});

it('knows the copies inside the packages, and no tools', () => {
  const names = findComponents().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['undici', 'zod', 'kysely', 'echarts', 'zrender']));
  for (const tool of ['vitest', 'storybook', 'tsdown']) expect(names).not.toContain(tool);
});

it.each(globSync('src/*/package.json'))('%s names existing files with side effects', (file) => {
  const { sideEffects } = JSON.parse(readFileSync(file, 'utf8')) as { sideEffects: false | string[] };
  const names = sideEffects === false ? [] : sideEffects.filter((name) => !name.startsWith('*'));
  const sources = names.map((name) =>
    join(dirname(file), name.replace('/dist/', '/lib/').replace(/js$/, 'ts')),
  );
  expect(sources.filter((source) => !existsSync(source))).toEqual([]);
});
