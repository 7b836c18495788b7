import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lists } from '../../src/conformance/lib/checks/lists.ts';
import { metadataRows } from '../../src/conformance/lib/checks/webhooks.ts';
import { checks } from '../../src/conformance/lib/checks.ts';
import { fieldSections, furtherStatements } from './support/furtherStatements.ts';
import { type Cell, readCells, readQuote, readStatements, type Statement } from './support/statements.ts';
import { unchecked } from './support/unchecked.ts';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const statements = readStatements(read('interface.md'));
const sectionOf = (title: string): string => title.split(' ', 1)[0] ?? '';
const quotes = [
  ...checks.map(({ title, quote }) => readQuote(quote, sectionOf(title))),
  ...lists.flatMap(({ path, fields }) => fields.map((row) => readQuote(row, fieldSections[path] ?? path))),
  ...metadataRows.map((row) => readQuote(row, '6.1')),
  ...Object.entries(furtherStatements).flatMap(([beginning, further]) =>
    further.map((quote) => readQuote(quote, sectionOf(beginning))),
  ),
];
const excused = Object.values(unchecked).flat();

const isQuoted = (statement: Statement, from: readonly Statement[]) =>
  from.some(({ section, text }) => section === statement.section && statement.text.includes(text));
const isOpen = ({ text }: Statement, excuses: readonly string[]) =>
  excuses.some((excuse) => text.includes(excuse));
const uncovered = (from: readonly Statement[], excuses: readonly string[]) =>
  statements.filter((statement) => !isQuoted(statement, from) && !isOpen(statement, excuses));

describe('the statements of the interface', () => {
  it('are all checked, unless no request could show them', () => {
    expect(uncovered(quotes, excused)).toEqual([]);
  });

  it('contain every quotation of the checks', () => {
    const invented = quotes.filter((quote) => !statements.some((statement) => isQuoted(statement, [quote])));
    expect(invented).toEqual([]);
  });

  it('are reported as unchecked when the checks of one endpoint are removed', () => {
    const others = quotes.filter(({ text }) => !text.includes('/v1/links'));
    expect(uncovered(others, excused).map(({ text }) => text)).toEqual([
      '| GET | /v1/links | none | list of all active Report Keys and Slideshow links |',
    ]);
  });

  it('are excused only when they have no check', () => {
    const idle = excused.filter((excuse) => !statements.some(({ text }) => text.includes(excuse)));
    expect(idle).toEqual([]);
  });
});

describe('the table cells of the interface', () => {
  const cells = readCells(statements);
  const isCellQuoted = (cell: Cell, from: readonly Statement[]) =>
    from.some(
      ({ section, text }) =>
        section === cell.section && cell.row.includes(text) && ` ${text} `.includes(` ${cell.text} `),
    );
  const unquoted = (from: readonly Statement[]) =>
    cells
      .filter((cell) => !isCellQuoted(cell, from) && !isOpen(cell, excused))
      .map(({ row, text }) => `${text} in ${row}`);

  it('are each quoted by a check of their row', () => {
    expect(cells.length).toBeGreaterThan(200);
    expect(unquoted(quotes)).toEqual([]);
  });

  it('are reported as unchecked when the check of one cell is removed', () => {
    const others = quotes.filter(({ text }) => !text.includes('| value.roleNames | array of string | no |'));
    const row = '| value.roleNames | array of string | no | RLS roles applied to the session |';
    expect(unquoted(others)).toEqual(
      ['value.roleNames', 'array of string', 'no', 'RLS roles applied to the session'].map(
        (cell) => `${cell} in ${row}`,
      ),
    );
  });
});

describe('the checks', () => {
  it('exist for every further statement', () => {
    const beginnings = Object.keys(furtherStatements);
    const gone = beginnings.filter((beginning) => !checks.some(({ title }) => title.startsWith(beginning)));
    expect(gone).toEqual([]);
  });

  it('have unique titles', () => {
    const titles = checks.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});
