import type { ActionField, ActionRow, ActionValue, FlatActionRow } from './reportAction.ts';

const bracketed = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

/** A name in DAX syntax: quoted unless it is a plain word. */
const quoted = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`;

/** `Sales[Amount]`, `Sum(Sales[Amount])`, `Date[Calendar].[Month]`, `'My table'[a]]b]`. */
const nameOf = ({ table, column, measure, hierarchy, level, aggregation }: ActionField): string => {
  const parts = [column ?? measure ?? hierarchy, level].filter((part) => part !== undefined);
  const name = (table ? quoted(table) : '') + parts.map(bracketed).join('.');
  return aggregation ? `${quoted(aggregation)}(${name})` : name;
};

/**
 * A selected row as one plain object. Field names follow DAX: a column or a measure `Table[Name]`, a level
 * `Table[Hierarchy].[Level]`, an aggregated column `Sum(Table[Column])`. A table name that is not one word is in single
 * quotes; a quote in it is doubled, and so is `]` in a name. A second field of the same name gets the suffix ` (2)`, a
 * third ` (3)`. Different fields never share a name, and no field is omitted.
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
    // Another field may already have that name.
    for (; flat.has(unique); unique = `${name} (${count})`) count += 1;
    counts.set(name, count + 1);
    flat.set(unique, field.value);
  }
  return Object.fromEntries(flat);
};
