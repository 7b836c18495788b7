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
    opens: item.has_rls === 1 ? opensRow(await readRlsRoles(services.db, tenant.id), content) : () => true,
  });
};

/** Names of an item's visuals with enabled webhook tasks. */
const findBoundVisuals = async ({ services, tenant, item }: OpenReport): Promise<string[]> => {
  const tasks = await services.db
    .selectFrom('tasks')
    .select('visual_names')
    .where('tenant_id', '=', tenant.id)
    .where('item_id', '=', item.id)
    .where('kind', '=', 'webhook')
    .where('is_enabled', '=', 1)
    .execute();
  // The seed and the control interface write it as a JSON array of strings.
  return [...new Set(tasks.flatMap((task) => JSON.parse(task.visual_names) as string[]))];
};

/** Everything that the browser needs to show an open report. */
export const readReportModel = async (report: OpenReport): Promise<ReportModel> => {
  const { services, item, content } = report;
  const { measures, slicers, pages } = reportDefinition(item.report);
  return {
    itemId: item.id,
    title: item.display_name,
    roleNames: content.roleNames,
    table: await readOpenTable(report),
    measures,
    slicers,
    pages,
    boundVisuals: await findBoundVisuals(report),
    endsInMs: content.expiresAtMs - services.clock.now(),
  };
};
