import { withoutFormulas } from '@vitrine/contract';
import type { ReportTable } from './shared/reportModel.ts';

/**
 * A report's rows as CSV (RFC 4180), with a line of column names, and a mark that tells spreadsheets it is UTF-8. A text
 * that a spreadsheet would run as a formula, whatever separates its cells, gets a single quote in front.
 */
export const csvOfTable = async ({ rowCount, columns }: ReportTable): Promise<string> => {
  // Only an export pays for the writer.
  const { stringify } = await import('csv-stringify/sync');
  const rows = Array.from({ length: rowCount }, (_, row) =>
    Object.values(columns).map((column) =>
      column.kind === 'text'
        ? withoutFormulas(column.values[column.codes[row] ?? -1] ?? '')
        : column.data[row],
    ),
  );
  return stringify([Object.keys(columns).map(withoutFormulas), ...rows], {
    bom: true,
    record_delimiter: 'windows',
  });
};
