import type { ReportKind } from '../../seed/seedSchema.ts';
import { operationsReport } from './operations.ts';
import { ordersReport } from './orders.ts';
import type { ReportDefinition } from './reportDefinition.ts';
import { salesReport } from './sales.ts';
import { summaryReport } from './summary.ts';

/** The report pages the portal can draw. */
export const reportDefinitions: Readonly<Record<ReportKind, ReportDefinition>> = {
  sales: salesReport,
  operations: operationsReport,
  orders: ordersReport,
  summary: summaryReport,
};

/** The definition an item names; items imported without one are drawn as the sales report. */
export const reportDefinition = (name: string): ReportDefinition =>
  Object.hasOwn(reportDefinitions, name) ? reportDefinitions[name as ReportKind] : salesReport;
