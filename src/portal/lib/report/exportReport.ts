import { recordedChange } from '../audit/recordedChange.ts';
import type { PortalReply, PortalRequest } from '../http/exchange.ts';
import { type OpenReport, readOpenTable } from './definitions/reportModel.ts';
import type { ReportTable } from './shared/reportModel.ts';
import { viewerActor } from './viewerActor.ts';

/** Quotes text as in RFC 4180; text that a spreadsheet would run as a formula stays text. */
const cell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A report's rows as CSV (RFC 4180), with a header line and a UTF-8 byte order mark for spreadsheets. */
const csvOfTable = (table: ReportTable): string => {
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

/** Exports the rows that the viewer's key opens, and records it in the audit log. */
export const exportReport = async (report: OpenReport, request: PortalRequest): Promise<PortalReply> => {
  const { services, tenant, access } = report;
  const table = await readOpenTable(report);
  const actor = await viewerActor(report, request);
  await recordedChange(services, tenant.id, ({ record }) =>
    record({
      actionType: 'ReportExported',
      actor,
      resourceType: 'Item',
      resourceId: access.item.id,
      description: `The rows of the report "${access.item.display_name}" were exported by ${access.content.userId}.`,
      details: {
        format: 'csv',
        rowCount: table.rowCount,
        linkId: access.content.linkId,
        roleNames: access.content.roleNames,
      },
    }),
  );
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="report-${access.item.id}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: csvOfTable(table),
  };
};
