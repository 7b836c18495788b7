import type { Measure, ReportTable } from './reportModel.ts';

/** The measures of one group of rows. */
export interface Group {
  /** The values of the grouping columns, in order. */
  readonly key: readonly string[];
  /** The measures, in the requested order. */
  readonly values: readonly number[];
}

/** The text of a row in a column. */
const textOf = (table: ReportTable, name: string, row: number): string => {
  const column = table.columns[name];
  return column?.kind === 'text' ? (column.values[column.codes[row] ?? 0] ?? '') : '';
};

const sumOf = (table: ReportTable, name: string, rows: readonly number[]): number => {
  const column = table.columns[name];
  const data = column?.kind === 'number' ? column.data : [];
  return rows.reduce((sum, row) => sum + (data[row] ?? 0), 0);
};

/** One measure over some rows. */
export const total = (table: ReportTable, rows: readonly number[], { column, per }: Measure): number => {
  const sum = sumOf(table, column, rows);
  if (per === undefined) return sum;
  const divisor = sumOf(table, per, rows);
  return divisor === 0 ? 0 : sum / divisor;
};

/** Groups rows by text columns and computes measures per group, in order of first appearance. */
export const aggregate = (
  table: ReportTable,
  rows: readonly number[],
  { by, measures }: { readonly by: readonly string[]; readonly measures: readonly Measure[] },
): Group[] => {
  const keyOf = (row: number) => by.map((name) => textOf(table, name, row));
  const groups = Map.groupBy(rows, (row) => keyOf(row).join('\0'));
  return [...groups.values()].map((own) => ({
    key: keyOf(own[0] ?? 0),
    values: measures.map((measure) => total(table, own, measure)),
  }));
};
