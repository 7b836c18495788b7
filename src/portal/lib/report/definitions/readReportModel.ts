import type { Services } from '../../services.ts';
import type { Tenant } from '../../tenants/tenant.ts';
import type { ReportAccess } from '../openReport.ts';
import { readReportTable } from '../readReportTable.ts';
import { findRowRules, type RowAccess } from '../rowRules.ts';
import type { ReportModel, ReportTable } from '../shared/reportModel.ts';
import { reportDefinition } from './reportDefinitions.ts';

/** An open report: tenant, item and key. */
export interface OpenReport {
  readonly services: Services;
  readonly tenant: Tenant;
  readonly access: Extract<ReportAccess, { kind: 'open' }>;
}

/** The rows of a report that its key opens. */
export const readOpenTable = async ({ services, tenant, access }: OpenReport): Promise<ReportTable> => {
  const { item, content } = access;
  const rowAccess: RowAccess =
    item.has_rls === 1
      ? {
          kind: 'rules',
          rules: await findRowRules(services.db, tenant.id, content.roleNames),
          userId: content.userId,
        }
      : { kind: 'everything' };
  return readReportTable(reportDefinition(item.report).source, {
    db: services.db,
    dataset: item.dataset,
    access: rowAccess,
    nowMs: services.clock.now(),
  });
};

/** Names of an item's visuals with enabled webhook tasks. */
const findBoundVisuals = async ({ services, tenant }: OpenReport, itemId: number): Promise<string[]> => {
  const tasks = await services.db
    .selectFrom('tasks')
    .select('visual_names')
    .where('tenant_id', '=', tenant.id)
    .where('item_id', '=', itemId)
    .where('kind', '=', 'webhook')
    .where('is_enabled', '=', 1)
    .execute();
  // The seed and the control interface write it as a JSON array of strings.
  return [...new Set(tasks.flatMap((task) => JSON.parse(task.visual_names) as string[]))];
};

/** Everything that the browser needs to show an open report. */
export const readReportModel = async (report: OpenReport): Promise<ReportModel> => {
  const { item, content } = report.access;
  const definition = reportDefinition(item.report);
  return {
    itemId: item.id,
    title: item.display_name,
    subtitle: definition.subtitle,
    tenantName: report.tenant.displayName,
    viewer: content.userId,
    roleNames: content.roleNames,
    hasRls: item.has_rls === 1,
    table: await readOpenTable(report),
    measures: definition.measures,
    slicers: definition.slicers,
    pages: definition.pages,
    boundVisuals: await findBoundVisuals(report, item.id),
    endsInMs: content.expiresAtMs - report.services.clock.now(),
  };
};
