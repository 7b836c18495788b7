import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { budgets } from '../../scripts/codeLines.ts';

const page = readFileSync('docs/architecture.md', 'utf8');

it('docs/architecture.md names only files and folders that exist', () => {
  const named = [...page.matchAll(/`((?:src|scripts)\/[^`*]+)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !existsSync(name))).toEqual([]);
});

it('docs/architecture.md has the budgets that are enforced, and at most 150 lines', () => {
  const rows = [...page.matchAll(/^\| (`.+`) \| .* \| ([\d,]+) \|$/gm)].map(([, names = '', budget = '']) => [
    names.replaceAll('`', ''),
    Number(budget.replace(',', '')),
  ]);
  expect(rows).toEqual(budgets.flatMap(({ name, budget }) => (budget === undefined ? [] : [[name, budget]])));
  expect(page.split('\n').length).toBeLessThanOrEqual(150);
});

it.each(globSync('src/*/README.md'))('%s says in which order to read at most eight files', (readme) => {
  const [, order = ''] = /Read in this order, in `lib`: (.+)\.\n$/.exec(readFileSync(readme, 'utf8')) ?? [];
  const files = order.split(', ').map((file) => `${dirname(readme)}/lib/${file.replaceAll('`', '')}`);
  expect(files.length).toBeLessThanOrEqual(8);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
