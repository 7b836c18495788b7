import { recordedChange } from '../audit/recordedChange.ts';
import type { PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { csvOfTable } from './csvOfTable.ts';
import { type OpenReport, readOpenTable } from './definitions/readReportModel.ts';
import { viewerActor } from './viewerActor.ts';

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
    body: await csvOfTable(table),
  };
};
