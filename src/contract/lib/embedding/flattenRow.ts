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
 */
export const flattenRow = ({ identity, values }: ActionRow): FlatActionRow => {
  const flat = new Map<string, ActionValue>();
  for (const field of [...identity, ...values]) {
    const name = nameOf(field);
    let unique = name;
    for (let count = 2; flat.has(unique); count += 1) unique = `${name} (${count})`;
    flat.set(unique, field.value);
  }
  return Object.fromEntries(flat);
};
