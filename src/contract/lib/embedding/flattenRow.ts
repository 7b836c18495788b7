import type { ActionField, ActionRow, ActionValue, FlatActionRow } from './action.ts';

const bracketed = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

/** A name as DAX writes it: quoted unless it is a plain word. */
const quoted = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`;

/** `Sales[Amount]`, `Sum(Sales[Amount])`, `Date[Calendar].[Month]`, `'My table'[a]]b]`. */
const nameOf = ({ table, column, measure, hierarchy, level, aggregation }: ActionField): string => {
  const parts = [column ?? measure ?? hierarchy, level].filter((part) => part !== undefined);
  const name = (table ? quoted(table) : '') + parts.map(bracketed).join('.');
  return aggregation ? `${quoted(aggregation)}(${name})` : name;
};

/**
 * A selected row as one plain object. Fields are named as DAX names them: a column or a measure `Table[Name]`, a level
 * `Table[Hierarchy].[Level]`, an aggregated column `Sum(Table[Column])`. A table that is not one word stands in single
 * quotes; a quote in it is doubled, and so is `]` in a name. A second field of the same name ends in ` (2)`, a third in ` (3)`.
 * Different fields never share a name, and none is left out.
 *
 * @example
 * ```ts
 * import { flattenRow } from '@vitrine/react';
 *
 * const row = flattenRow({
 *   identity: [{ table: 'Sales', column: 'Region', value: 'North' }],
 *   values: [{ measure: 'Revenue', value: 120 }],
 * });
 * console.log(row['Sales[Region]'], row['[Revenue]']);
 * ```
 */
export const flattenRow = (row: ActionRow): FlatActionRow => {
  const flat = new Map<string, ActionValue>();
  const counts = new Map<string, number>();
  for (const field of [...row.identity, ...row.values]) {
    const name = nameOf(field);
    let count = counts.get(name) ?? 1;
    let unique = count === 1 ? name : `${name} (${count})`;
    // Another field may be called so itself.
    for (; flat.has(unique); unique = `${name} (${count})`) count += 1;
    counts.set(name, count + 1);
    flat.set(unique, field.value);
  }
  return Object.fromEntries(flat);
};
