import { withoutFormulas } from '@vitrine/contract';
import type { PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { type OpenReport, readOpenTable } from './reportAccess.ts';
import type { ReportTable } from './shared/reportModel.ts';
import { recordViewer } from './viewer.ts';

/** Exports the rows that the viewer's key opens, and records it in the audit log. */
export const exportReport = async (report: OpenReport, request: PortalRequest): Promise<PortalReply> => {
  const table = await readOpenTable(report);
  await recordViewer(report, request, ['ReportExported', 'The rows of the report', 'were exported'], {
    format: 'csv',
    rowCount: table.rowCount,
  });
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="report-${report.item.id}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: await csvOfTable(table),
  };
};

/**
 * A report's rows as CSV (RFC 4180), with a line of column names, and a mark that tells spreadsheets it is UTF-8. A text
 * that a spreadsheet would run as a formula, whether commas, semicolons or tabs separate its cells, gets a single quote in front.
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
    quoted_match: /[\r\n]/,
  });
};
