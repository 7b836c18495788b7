import type { Measure, ReportPageModel } from '../shared/reportModel.ts';

/** The shape of a report: what is measured, what filters, what is on each page. */
export interface ReportDefinition {
  readonly subtitle: string;
  readonly source: 'sales' | 'operations' | 'orders';
  readonly measures: readonly Measure[];
  /** Text columns that filter the whole report. */
  readonly slicers: readonly string[];
  readonly pages: readonly ReportPageModel[];
}
