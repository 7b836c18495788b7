import type { Row } from '../database/schema.ts';
import { opensRow, readRlsRoles } from '../rowSecurity.ts';
import { reportDefinition } from './definitions/reportDefinitions.ts';
import type { OpenReport } from './reportAccess.ts';
import { reportTables } from './reportTable.ts';
import type { ReportModel, ReportTable } from './shared/reportModel.ts';

/** The rows of a report that its key opens. */
export const readOpenTable = async ({
  services,
  tenant,
  item,
  content,
}: OpenReport): Promise<ReportTable> => {
  const readTable = reportTables[reportDefinition(item.report).source];
  return readTable({
    dataset: item.dataset,
    nowMs: services.clock.now(),
    opens: item.hasRls ? opensRow(await readRlsRoles(services.db, tenant.id), content) : () => true,
  });
};

/** The enabled webhook tasks of a report's item. */
export const findTasks = ({ services, tenant, item }: OpenReport): Promise<Row<'tasks'>[]> =>
  services.db
    .selectFrom('tasks')
    .selectAll()
    .where('tenantId', '=', tenant.id)
    .where('itemId', '=', item.id)
    .where('kind', '=', 'webhook')
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();

/** Everything that the browser needs to show an open report. */
export const readReportModel = async (report: OpenReport): Promise<ReportModel> => {
  const { services, item, content } = report;
  const { measures, slicers, pages } = reportDefinition(item.report);
  return {
    itemId: item.id,
    title: item.displayName,
    roleNames: content.roleNames,
    table: await readOpenTable(report),
    measures,
    slicers,
    pages,
    boundVisuals: [...new Set((await findTasks(report)).flatMap(({ visualNames }) => visualNames))],
    endsInMs: content.expiresAtMs - services.clock.now(),
  };
};
