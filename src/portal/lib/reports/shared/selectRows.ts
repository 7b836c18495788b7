import type { ColumnFilter, ReportTable } from './reportModel.ts';

/** The rows that pass every filter, in the order of the table. */
export const selectRows = (table: ReportTable, filters: readonly ColumnFilter[]): number[] => {
  const tests = filters.map((filter) => {
    const column = table.columns[filter.column];
    if (column?.kind !== 'text') return () => false;
    const wanted = new Set(filter.values.map((value) => column.values.indexOf(value)));
    return (row: number) => wanted.has(column.codes[row] ?? -1);
  });
  const rows: number[] = [];
  for (let row = 0; row < table.rowCount; row += 1) if (tests.every((test) => test(row))) rows.push(row);
  return rows;
};
