import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { gaps } from './choice.ts';

const tests = ['people', 'content', 'errors']
  .map((name) => readFileSync(`test/portal/choices/${name}.test.ts`, 'utf8'))
  .join();

it.each(gaps)('docs/gaps.md: there is a test of our choice for %s', (gap) => {
  expect([`'${gap}'`, `"${gap}"`].some((text) => tests.includes(text))).toBe(true);
});
