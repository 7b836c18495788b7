import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { csvOfTable } from '../../src/portal/lib/reports/exportReport.ts';

const texts = [
  '=1+1',
  '+1',
  '-1+2',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1',
  '＋1',
  '－1',
  '＠1',
  'a "b", c\nd',
  'plain',
];

it('an exported report has no cell that starts a formula, and keeps numbers', async () => {
  const csv = await csvOfTable({
    name: 'Hostile',
    rowCount: texts.length,
    columns: {
      '=Name': { kind: 'text', values: texts, codes: texts.map((_, code) => code) },
      Amount: { kind: 'number', data: texts.map((_, row) => -row) },
    },
  });
  expect(csv).toMatch(/^\ufeff'=Name,Amount\r\n/);
  for (const text of texts.slice(0, 10)) expect(csv).toContain(`'${text.trim()}`);
  expect(csv).toContain('plain,-11\r\n');
});

/** The cells that a reader of this delimiter would run as formulas. */
const formulasIn = (csv: string, delimiter: string): readonly string[] =>
  parse(csv, { delimiter, bom: true, relax_quotes: true, relax_column_count: true })
    .flat()
    .filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell));

it.each([',', ';', '\t'])('is safe for a reader of cells that are separated by %j', async (delimiter) => {
  const hostile = ['a;=1+1', 'a\t=1+1', 'a,=1+1', 'a; "=1+1', 'a\n@SUM(A1)', 'ü;\t-1;＝1', "';+1"];
  const rows = hostile.map((_, code) => code);
  const csv = await csvOfTable({
    name: 'Hostile',
    rowCount: hostile.length,
    columns: { 'Name;=1': { kind: 'text', values: hostile, codes: rows } },
  });
  expect(formulasIn(csv, delimiter)).toEqual([]);
  // Control: the texts as they are hold formulas for this reader.
  expect(formulasIn(hostile.join('\n'), delimiter)).not.toEqual([]);
});

it('keeps a text with any line break in one cell, for any reader of CSV', async () => {
  const broken = ['a\nb', 'a\rb', 'a\r\nb', '\n', 'b\r'];
  const csv = await csvOfTable({
    name: 'Lines',
    rowCount: broken.length,
    columns: {
      'Na\nme': { kind: 'text', values: broken, codes: broken.map((_, code) => code) },
      Amount: { kind: 'number', data: broken.map((_, row) => row) },
    },
  });
  const rows = [['Na\nme', 'Amount'], ...broken.map((text, row) => [text, String(row)])];
  expect(parse(csv, { bom: true, record_delimiter: ['\r\n', '\n', '\r'] })).toEqual(rows);
  // Control: without quotes, a line break ends the row.
  const unquoted = rows.map((row) => row.join(',')).join('\r\n');
  expect(parse(unquoted, { relax_column_count: true }).length).toBeGreaterThan(rows.length);
});
