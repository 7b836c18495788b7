import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';

/** Files with a fixed name: one per language, a thread, and a module that is imported for its check. */
const hasFixedName = /\/labels\/translations\/|\/sqlite\/worker\.ts$|\/requireNode\.ts$/;

const exportsOf = (text: string): string[] =>
  [
    ...text.matchAll(
      /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type) (\w+)/gm,
    ),
  ].map(([, name = '']) => name);

/** Named as an export, or with a plural noun for several equal exports. Entry points only re-export or export nothing. */
const hasRightName = (file: string, text: string): boolean => {
  const name = basename(file).replace(/\.tsx?$/, '');
  const names = exportsOf(text);
  const isCollection = names.length > 1 && name.endsWith('s');
  return names.length === 0 || isCollection || names.some((one) => one.toLowerCase() === name.toLowerCase());
};

it('names every source file as one of its exports, or with a plural for several', () => {
  const misnamed = globSync('src/*/lib/**/*.{ts,tsx}')
    .filter((file) => !hasFixedName.test(file))
    .filter((file) => !hasRightName(file, readFileSync(file, 'utf8')));
  expect(misnamed).toEqual([]);
});

it.each([
  ['errors.ts', 'export const createTable = () => {};'],
  ['table.ts', 'export const rows = [];\nexport interface Row {}'],
])('notices that %s is not named as an export', (file, text) => {
  expect(hasRightName(file, text)).toBe(false);
});
