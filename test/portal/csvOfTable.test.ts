import { expect, it } from 'vitest';
import { csvOfTable } from '../../src/portal/lib/reports/csvOfTable.ts';

const texts = [
  '=1+1',
  '+1',
  '-1',
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
  for (const text of texts.slice(0, 10)) expect(csv).toContain(`'${text}`);
  expect(csv).toContain('plain,-11\r\n');
});
