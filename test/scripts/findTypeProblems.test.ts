import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findTypeProblems } from '../../scripts/findTypeProblems.ts';

/** Packs an ES module with the given files next to its code and its style sheet. */
const pack = (files: Readonly<Record<string, string>>): Uint8Array => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const exports = {
    '.': { types: './index.d.ts', default: './index.js' },
    './styles.css': './styles.css',
  };
  const manifest = JSON.stringify({ name: 'sample', version: '1.0.0', type: 'module', exports });
  mkdirSync(join(folder, 'package'));
  const all = { 'package.json': manifest, 'index.js': 'export const one = 1;', 'styles.css': '', ...files };
  for (const [file, text] of Object.entries(all)) writeFileSync(join(folder, 'package', file), text);
  execFileSync('tar', ['-czf', 'sample.tgz', 'package'], { cwd: folder });
  return new Uint8Array(readFileSync(join(folder, 'sample.tgz')));
};
const entries = ['.', './styles.css'];

it('accepts an ES module with types, whatever require resolves to and whatever its style sheet is', async () => {
  expect(await findTypeProblems(pack({ 'index.d.ts': 'export const one = 1;' }), entries)).toEqual([]);
});

it('detects declarations that Node.js does not resolve: an import without its extension', async () => {
  const files = { 'index.d.ts': "export * from './one';", 'one.d.ts': 'export const one = 1;' };
  const [problem, ...others] = await findTypeProblems(pack(files), entries);
  expect(problem).toMatch(/^are-the-types-wrong: .*"kind":"InternalResolutionError"/);
  expect(others).toEqual([]);
});

it('detects missing types', async () => {
  expect(await findTypeProblems(pack({}), entries)).toEqual([
    'are-the-types-wrong: the package has no types',
  ]);
});
