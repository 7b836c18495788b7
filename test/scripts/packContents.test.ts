import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findForeignLicenses } from '../../scripts/licenses.ts';
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
  expect(findContentProblems(packed('dist/index.d.ts.map', 'lib/index.ts'))).toEqual([]);
});

it.each(['dist/.tsbuildinfo', '.env', 'test/secret.ts', 'lib/notes.txt'])(
  'rejects a package that contains %s',
  (path) => {
    expect(findContentProblems(packed(path)).join()).toContain(path);
  },
);

it('rejects a package above its size budget', () => {
  expect(findContentProblems({ ...packed(), size: 10_000_000 }).join()).toContain('budget');
});

it('names runtime dependencies with a licence that hosts may not accept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-licences-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'package-lock.json');
  const packages = {
    'node_modules/fine': { license: '(MIT OR GPL-3.0)' },
    'node_modules/copyleft': { license: 'LGPL-3.0' },
    'node_modules/unnamed': {},
    'node_modules/tool': { license: 'GPL-3.0', dev: true },
  };
  writeFileSync(file, JSON.stringify({ packages }));
  expect(findForeignLicenses(file)).toEqual(['copyleft: LGPL-3.0', 'unnamed: no licence']);
});
