import type { ColumnFilter, ReportTable } from './reportModel.ts';

/** The rows that pass every filter, in the order of the table. `rows`: only these. */
export const selectRows = (
  table: ReportTable,
  filters: readonly ColumnFilter[],
  rows: readonly number[] = Array.from({ length: table.rowCount }, (_, row) => row),
): readonly number[] => {
  const tests = filters.map((filter) => {
    const column = table.columns[filter.column];
    if (column?.kind !== 'text') return () => false;
    const wanted = new Set(filter.values.map((value) => column.values.indexOf(value)));
    return (row: number) => wanted.has(column.codes[row] ?? -1);
  });
  return rows.filter((row) => tests.every((test) => test(row)));
};
