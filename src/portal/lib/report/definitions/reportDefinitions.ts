import type { ReportKind } from '../shared/reportKinds.ts';
import { operationsReport } from './operations.ts';
import { ordersReport } from './orders.ts';
import type { ReportDefinition } from './reportDefinition.ts';
import { salesReport } from './sales.ts';
import { summaryReport } from './summary.ts';

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
