import type { ReportKind } from '../shared/reportKinds.ts';
import type { ReportDefinition } from '../shared/reportModel.ts';
import { operationsReport } from './operationsReport.ts';
import { ordersReport } from './ordersReport.ts';
import { salesReport } from './salesReport.ts';
import { summaryReport } from './summaryReport.ts';

/** The report pages of the portal. */
export const reportDefinitions: Readonly<Record<ReportKind, ReportDefinition>> = {
  sales: salesReport,
  operations: operationsReport,
  orders: ordersReport,
  summary: summaryReport,
};

/** The definition of an item; imported items without one get the sales report. */
export const reportDefinition = (name: string): ReportDefinition =>
  Object.hasOwn(reportDefinitions, name) ? reportDefinitions[name as ReportKind] : salesReport;

/** The names of a report's visuals. */
export const visualsOf = (report: string): readonly string[] =>
  reportDefinition(report).pages.flatMap(({ visuals }) => visuals.map(({ id }) => id));
