import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  importDirections,
  lintOverrides,
  packageFolders,
  packageName,
} from '../../scripts/importDirections.ts';
import { lintFiles } from './lintFiles.ts';

/** Every import to check: from a package, of a specifier. */
const imports = packageFolders.flatMap((from) =>
  packageFolders
    .filter((to) => to !== from)
    .flatMap((to) => [packageName(to), `${packageName(to)}/entry`, `../../${to}/lib/index.ts`])
    .concat('node:fs')
    .map((specifier) => ({ from, specifier, folder: `src/${from}/lib` })),
);

const fileOf = (index: number) => `${imports[index]?.folder}/probe${index}.ts`;

/** The files with an import that the project's own lint rules reject. */
let rejected: ReadonlySet<string> = new Set();
beforeAll(() => {
  const files = imports.map(({ specifier }, index) => [
    fileOf(index),
    `import { thing } from '${specifier}';\n\nexport const probe = thing;\n`,
  ]);
  const problems = lintFiles(Object.fromEntries(files));
  rejected = new Set(
    problems.filter(({ code }) => code.includes('no-restricted-imports')).map(({ filename }) => filename),
  );
});

const isRejected = (from: string, specifier: string): boolean => {
  const index = imports.findIndex((one) => one.from === from && one.specifier === specifier);
  expect(index).not.toBe(-1);
  return rejected.has(fileOf(index));
};

it('generates the lint rules from the table (npm run format writes them)', () => {
  const { overrides } = JSON.parse(readFileSync('.oxlintrc.json', 'utf8')) as { overrides: object[] };
  expect(overrides).toEqual(expect.arrayContaining(lintOverrides()));
});

describe.each(packageFolders)('%s', (from) => {
  const siblings = packageFolders.filter((to) => to !== from);
  const { mayImport } = importDirections[from];
  const allowed = siblings.filter((to) => mayImport.includes(to));

  if (allowed.length > 0)
    it.each(allowed)('may import %s by its package name', (to) => {
      expect(isRejected(from, packageName(to))).toBe(false);
      expect(isRejected(from, `../../${to}/lib/index.ts`)).toBe(true);
    });

  it.each(siblings.filter((to) => !allowed.includes(to)))('may not import %s', (to) => {
    expect(isRejected(from, packageName(to))).toBe(true);
    expect(isRejected(from, `${packageName(to)}/entry`)).toBe(true);
    expect(isRejected(from, `../../${to}/lib/index.ts`)).toBe(true);
  });
});

it('react may not import Node', () => {
  expect(isRejected('react', 'node:fs')).toBe(true);
});
