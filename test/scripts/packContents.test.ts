import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { billOfMaterials } from '../../scripts/billOfMaterials.ts';
import { findForeignLicenses } from '../../scripts/licenses.ts';
import { findContentProblems, type PackedPackage } from '../../scripts/packContents.ts';
import { findRuntimeDependencies } from '../../scripts/runtimeDependencies.ts';

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

const readPackages = (packages: object) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-licenses-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'package-lock.json');
  writeFileSync(file, JSON.stringify({ packages }));
  return findRuntimeDependencies(file, 'src/sample');
};

it('names runtime dependencies with a license that hosts may not accept, bundled ones included, and no tools', () => {
  const found = readPackages({
    'src/sample': {
      license: 'MIT',
      dependencies: { fine: '1', copyleft: '1', ours: '1' },
      devDependencies: { bundled: '1' },
    },
    'src/other': { license: 'MIT', dependencies: { unnamed: '1' }, devDependencies: { tool: '1' } },
    'node_modules/bundled': { license: 'AGPL-3.0' },
    'node_modules/ours': { link: true, resolved: 'src/other' },
    'node_modules/fine': { license: '(MIT OR GPL-3.0)' },
    'node_modules/copyleft': { license: 'MIT' },
    'src/sample/node_modules/copyleft': { license: 'LGPL-3.0' },
    'node_modules/unnamed': {},
    'node_modules/tool': { license: 'GPL-3.0' },
  });
  expect(findForeignLicenses(found)).toEqual([
    'copyleft: LGPL-3.0',
    'unnamed: no license',
    'bundled: AGPL-3.0',
  ]);
});

it('lists installed packages in a bill of materials, including those shared with the workspace', () => {
  const { metadata, components } = billOfMaterials(
    findRuntimeDependencies('package-lock.json', 'src/portal'),
  );
  const { version } = JSON.parse(readFileSync('src/portal/package.json', 'utf8'));
  expect(metadata?.component).toMatchObject({
    name: '@vitrine/portal',
    version,
    purl: `pkg:npm/%40vitrine/portal@${version}`,
  });
  const zod = components.find(({ name }) => name === 'zod');
  expect(zod).toMatchObject({ licenses: [{ license: { id: 'MIT' } }], hashes: [{ alg: 'SHA-512' }] });
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['@vitrine/contract', 'kysely', 'yaml', 'echarts']));
  for (const peerOrTool of ['pg', 'vite', 'esbuild']) expect(names).not.toContain(peerOrTool);
});

it('uses the name in package.json for every package in its bill of materials', () => {
  for (const file of globSync('src/*/package.json')) {
    const [itself] = findRuntimeDependencies('package-lock.json', dirname(file).replaceAll('\\', '/'));
    expect(itself?.name).toBe(JSON.parse(readFileSync(file, 'utf8')).name);
  }
});

it.each(globSync('src/*/package.json'))('%s names existing files with side effects', (file) => {
  const { sideEffects } = JSON.parse(readFileSync(file, 'utf8')) as { sideEffects: false | string[] };
  const names = sideEffects === false ? [] : sideEffects.filter((name) => !name.startsWith('*'));
  const sources = names.map((name) =>
    join(dirname(file), name.replace('/dist/', '/lib/').replace(/js$/, 'ts')),
  );
  expect(sources.filter((source) => !existsSync(source))).toEqual([]);
});
