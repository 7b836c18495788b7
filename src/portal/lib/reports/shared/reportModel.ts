/** A column of strings, each stored once. */
export interface TextColumn {
  readonly kind: 'text';
  readonly values: readonly string[];
  /** Index into `values` for each row. */
  readonly codes: readonly number[];
}

/** A column of numbers. */
export interface NumberColumn {
  readonly kind: 'number';
  readonly data: readonly number[];
}

/** The rows that a viewer may see, by column. Never contains other rows. */
export interface ReportTable {
  readonly name: string;
  readonly rowCount: number;
  readonly columns: Readonly<Record<string, TextColumn | NumberColumn>>;
}

/** Format of a number. */
export type NumberFormat = 'currency' | 'integer' | 'percent' | 'decimal';

/** A number computed over rows: the sum of a column, optionally divided by the sum of another. */
export interface Measure {
  readonly id: string;
  readonly label: string;
  readonly column: string;
  readonly per?: string;
  readonly format: NumberFormat;
  /** Whether less is better, for the color of a change. Default: more is better. */
  readonly isGoodWhen?: 'lower';
}

interface VisualBase {
  /** Internal visual ID, the `visualName` of webhooks. */
  readonly id: string;
  readonly title: string;
  /** Width in columns of twelve, on a wide screen. */
  readonly span: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 12;
}

/** One number, with its change from the previous period and its trend. */
export interface KpiVisual extends VisualBase {
  readonly kind: 'kpi';
  readonly measure: string;
  /** Column of the trend and of the comparison. */
  readonly over: string;
  /** Number of points in each of the compared periods. */
  readonly window: number;
  /** Name of the earlier period. */
  readonly windowLabel: string;
}

/** A chart: bars or the shares of a whole, the largest first; columns or lines, in the order of their labels. */
export interface ChartVisual extends VisualBase {
  readonly kind: 'bar' | 'column' | 'line' | 'donut';
  readonly by: string;
  readonly measure: string;
  /** Stacks by a second column, or draws a line for each of its values. */
  readonly seriesBy?: string;
}

/** A table: one line per row, or per value of `by`. */
export interface TableVisual extends VisualBase {
  readonly kind: 'table';
  /** Text columns; the first ones identify the line. */
  readonly by: readonly string[];
  /** How many of `by` identify a line. */
  readonly identifiedBy: number;
  readonly measures: readonly string[];
}

/** Any visual of a report. */
export type Visual = KpiVisual | ChartVisual | TableVisual;

/** One page of a report. */
export interface ReportPageModel {
  readonly id: string;
  readonly title: string;
  readonly visuals: readonly Visual[];
}

/** The definition of a report: measures, filters and pages. */
export interface ReportDefinition {
  readonly subtitle: string;
  readonly source: 'sales' | 'operations' | 'orders';
  readonly measures: readonly Measure[];
  /** Text columns for filters of the whole report. */
  readonly slicers: readonly string[];
  readonly pages: readonly ReportPageModel[];
}

/** Everything that the browser needs to show a report: its rows, its definition and the expiry of its key. */
export interface ReportModel extends Pick<ReportDefinition, 'measures' | 'slicers' | 'pages'> {
  readonly itemId: number;
  readonly title: string;
  readonly roleNames: readonly string[];
  readonly table: ReportTable;
  /** Visuals whose selection is sent to the portal, because an Action Task is bound to them. */
  readonly boundVisuals: readonly string[];
  /** Milliseconds until the key expires, when the page was created. */
  readonly endsInMs: number;
}

/** Keeps rows whose column holds one of the values. */
export interface ColumnFilter {
  readonly column: string;
  readonly values: readonly string[];
}
