import { change } from '../change.ts';
import type { PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { csvOfTable } from './csvOfTable.ts';
import { readOpenTable } from './openReport.ts';
import type { OpenReport } from './reportAccess.ts';
import { viewerActor } from './viewer.ts';

/** Exports the rows that the viewer's key opens, and records it in the audit log. */
export const exportReport = async (report: OpenReport, request: PortalRequest): Promise<PortalReply> => {
  const { services, tenant, item, content } = report;
  const table = await readOpenTable(report);
  const actor = await viewerActor(report, request.ipAddress);
  await change({ services, tenant, actor }, 'ReportExported', async () => ({
    resourceType: 'Item',
    id: item.id,
    description: `The rows of the report "${item.displayName}" were exported by ${content.userId}.`,
    details: {
      format: 'csv',
      rowCount: table.rowCount,
      linkId: content.linkId,
      roleNames: content.roleNames,
    },
  }));
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="report-${item.id}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: await csvOfTable(table),
  };
};
