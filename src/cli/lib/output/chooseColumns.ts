import type { Column } from './formatTable.ts';
import { formatValue } from './formatValue.ts';
import { UsageError } from './usageError.ts';

/** The columns of `--columns email,roles`, by field name or table heading; without it, the default columns. */
export const chooseColumns = <TRow extends object>(
  columns: readonly Column<TRow>[],
  wanted: readonly string[] | undefined,
  rows: readonly TRow[],
): readonly Column<TRow>[] =>
  wanted === undefined
    ? columns.filter((column) => column.isOptional !== true)
    : wanted.map((name) => {
        const known = findColumn(columns, name);
        if (known !== undefined) return known;
        checkColumn(name, columns, rows);
        return { name, title: name, value: (row) => formatValue(fieldOf(row, name)) };
      });

/** One row with only the fields that `--columns` names, in that order. */
export const pickFields = <TRow extends object>(
  row: TRow,
  columns: readonly Column<TRow>[],
  wanted: readonly string[],
): object =>
  Object.fromEntries(
    wanted.map((name) => {
      const known = findColumn(columns, name);
      if (known === undefined) checkColumn(name, columns, [row]);
      const field = known === undefined ? name : nameOf(known);
      return [field, fieldOf(row, field) ?? null];
    }),
  );

/** Rejects unknown names: a misspelled one would be an empty column. */
const checkColumn = <TRow extends object>(
  name: string,
  columns: readonly Column<TRow>[],
  rows: readonly TRow[],
): void => {
  if (rows.length === 0 || rows.some((row) => Object.hasOwn(row, name))) return;
  const known = new Set([...columns.map(nameOf), ...rows.flatMap((row) => Object.keys(row))]);
  throw new UsageError(
    `--columns contains ${JSON.stringify(name)}, but no row has it. Choose from ${[...known].join(', ')}.`,
  );
};

const findColumn = <TRow extends object>(
  columns: readonly Column<TRow>[],
  name: string,
): Column<TRow> | undefined =>
  columns.find((column) => nameOf(column) === name) ??
  columns.find(({ title }) => title !== '' && title.toLowerCase() === name.toLowerCase());

const nameOf = ({ name, title }: { readonly name?: string; readonly title: string }): string =>
  name ?? title.toLowerCase();

const fieldOf = (row: object, name: string): unknown =>
  Object.entries(row).find(([key]) => key === name)?.[1];
