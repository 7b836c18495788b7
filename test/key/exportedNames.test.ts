import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The names that a module exports, by its lists and its own constants. */
const namesIn = (source: string): readonly string[] => [
  ...[...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== ''),
  ...[...source.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name),
];

/** The source of each entry of a package. */
const entriesOf = (name: string): readonly string[] => {
  const folder = `src/${name}`;
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const paths = [...text.matchAll(/"@vitrine\/source": "([^"]+)"/g)].map(([, path = '']) => path);
  return paths.map((path) => readFileSync(join(folder, path), 'utf8'));
};

it('a host has at most 60 names to know, over all entries of the server and of Express', () => {
  const names = new Set(['server', 'express'].flatMap(entriesOf).flatMap(namesIn));
  const known = ['vitrine', 'createFetchHandler', 'createActions', 'ActionInbox', 'renameHints'];
  expect([...names]).toEqual(expect.arrayContaining(known));
  expect(names.size).toBeLessThanOrEqual(60);
});

it('control: finds the names of every list and constant', () => {
  const source =
    "export { a } from './a.ts';\nexport type {\n  B,\n  C,\n} from './b.ts';\nexport const d = 1;\n";
  expect(namesIn(source)).toEqual(['a', 'B', 'C', 'd']);
});
