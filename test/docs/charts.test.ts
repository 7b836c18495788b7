import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chartOf } from '../../stories/manual/charts.ts';

const lines = readFileSync('docs/figures.md', 'utf8').split('\n');

/** Figures of a chart that are missing in their row of docs/figures.md. */
const missing = (name: string, text: readonly string[] = lines): string[] =>
  chartOf(name).bars.flatMap((bar) => {
    const figure = bar.value.toLocaleString('en');
    const rows = text.filter(
      (line) => line.startsWith('| ') && line.replaceAll('**', '').startsWith(`| ${bar.name}`),
    );
    return rows.some((row) => row.includes(`| ${figure}`)) ? [] : [`${bar.name}: ${figure}`];
  });

it.each(['size', 'mount'])('the table next to the chart "%s" contains its figures', (name) => {
  expect(chartOf(name).bars.length).toBeGreaterThan(5);
  expect(missing(name)).toEqual([]);
});

it('control: detects a figure of another run', () => {
  const changed = lines.map((line) => line.replace('17,305', '17,306'));
  expect(missing('size', changed)).toEqual(['@looker/embed-sdk: 17,305']);
});

it('names a chart that does not exist', () => {
  expect(() => chartOf('speed')).toThrow('There is no chart "speed"');
});
