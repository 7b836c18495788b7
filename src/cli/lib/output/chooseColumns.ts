import type { Column } from './formatTable.ts';
import { formatValue } from './formatValue.ts';
import { UsageError } from './usageError.ts';

const nameOf = <TRow>({ name, title }: Column<TRow>): string => name ?? title.toLowerCase();

/**
 * The columns of `--columns email,roles`, by field name or table heading. Throws for names that no row has: a misspelled
 * one would be an empty column.
 */
export const chooseColumns = <TRow extends object>(
  columns: readonly Column<TRow>[],
  wanted: readonly string[],
  rows: readonly TRow[],
): readonly (Column<TRow> & { readonly name: string })[] =>
  wanted.map((name) => {
    const known =
      columns.find((column) => nameOf(column) === name) ??
      columns.find(({ title }) => title.toLowerCase() === name.toLowerCase());
    if (known !== undefined) return { ...known, name: nameOf(known) };
    if (rows.length > 0 && !rows.some((row) => Object.hasOwn(row, name))) {
      const choices = new Set([...columns.map(nameOf), ...rows.flatMap((row) => Object.keys(row))]);
      throw new UsageError(
        `--columns contains ${JSON.stringify(name)}, but no row has it. Choose from ${[...choices].join(', ')}.`,
      );
    }
    return { name, title: name, value: (row) => formatValue(Reflect.get(row, name)) };
  });
