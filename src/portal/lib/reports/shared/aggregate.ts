import type { Measure, ReportTable } from './reportModel.ts';

/** The measures of one group of rows. */
export interface Group {
  /** The values of the grouping columns, in order. */
  readonly key: readonly string[];
  /** The measures, in the requested order. */
  readonly values: readonly number[];
  readonly rowCount: number;
}

interface Sums {
  readonly key: readonly string[];
  readonly over: number[];
  readonly under: number[];
  rowCount: number;
}

const numbersOf = (table: ReportTable, name: string): readonly number[] => {
  const column = table.columns[name];
  return column?.kind === 'number' ? column.data : [];
};

/** Groups rows by text columns and computes measures per group, in order of first appearance. */
export const aggregate = (
  table: ReportTable,
  rows: readonly number[],
  what: { readonly by: readonly string[]; readonly measures: readonly Measure[] },
): Group[] => {
  const texts = what.by.map((name) => {
    const column = table.columns[name];
    return column?.kind === 'text' ? column : { values: [''], codes: [] };
  });
  const over = what.measures.map((measure) => numbersOf(table, measure.column));
  const under = what.measures.map((measure) =>
    measure.per === undefined ? undefined : numbersOf(table, measure.per),
  );
  const groups = new Map<number, Sums>();
  for (const row of rows) {
    // Combines the codes of a row as the digits of one number, exact up to 2^53 combinations.
    let id = 0;
    for (const { values, codes } of texts) id = id * values.length + (codes[row] ?? 0);
    let sums = groups.get(id);
    if (sums === undefined) {
      sums = {
        key: texts.map(({ values, codes }) => values[codes[row] ?? 0] ?? ''),
        over: what.measures.map(() => 0),
        under: what.measures.map(() => 0),
        rowCount: 0,
      };
      groups.set(id, sums);
    }
    sums.rowCount += 1;
    for (let place = 0; place < what.measures.length; place += 1) {
      sums.over[place] = (sums.over[place] ?? 0) + (over[place]?.[row] ?? 0);
      sums.under[place] = (sums.under[place] ?? 0) + (under[place]?.[row] ?? 0);
    }
  }
  return [...groups.values()].map((sums) => ({
    key: sums.key,
    rowCount: sums.rowCount,
    values: sums.over.map((sum, place) => {
      if (under[place] === undefined) return sum;
      const divisor = sums.under[place] ?? 0;
      return divisor === 0 ? 0 : sum / divisor;
    }),
  }));
};

/** One measure over all rows. */
export const total = (table: ReportTable, rows: readonly number[], measure: Measure): number =>
  aggregate(table, rows, { by: [], measures: [measure] })[0]?.values[0] ?? 0;
