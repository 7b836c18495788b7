import type { ReportTable } from './shared/reportModel.ts';

/** A text as RFC 4180 writes it; one that a spreadsheet would run as a formula is kept a text. */
const cell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A report's rows as CSV (RFC 4180), with a line of column names, and a mark that tells spreadsheets it is UTF-8. */
export const csvOfTable = (table: ReportTable): string => {
  const columns = Object.entries(table.columns);
  const lines = [columns.map(([name]) => cell(name))];
  for (let row = 0; row < table.rowCount; row += 1)
    lines.push(
      columns.map(([, column]) =>
        column.kind === 'text'
          ? cell(column.values[column.codes[row] ?? -1] ?? '')
          : String(column.data[row] ?? ''),
      ),
    );
  return `\uFEFF${lines.map((cells) => `${cells.join(',')}\r\n`).join('')}`;
};
