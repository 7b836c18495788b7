import type { Measure, ReportPageModel } from '../shared/reportModel.ts';

/** The definition of a report: measures, filters and pages. */
export interface ReportDefinition {
  readonly subtitle: string;
  readonly source: 'sales' | 'operations' | 'orders';
  readonly measures: readonly Measure[];
  /** Text columns for filters of the whole report. */
  readonly slicers: readonly string[];
  readonly pages: readonly ReportPageModel[];
}
