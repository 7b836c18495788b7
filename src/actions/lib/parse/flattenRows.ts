import type { ActionDataPoint, ActionRow, ActionValue } from '@vitrine/contract';
import { plainText } from './plainChecks.ts';

const nameOf = (target: { readonly table?: string; readonly column: string }): string =>
  `${target.table ?? ''}.${target.column}`;

/**
 * One selected row as `{'Table.Column': value}`: what was selected, then its measures. A measure over a column that is
 * there already is named after its aggregation, `Sum(Table.Column)`.
 */
export const flattenRow = (point: Partial<ActionDataPoint>): ActionRow => {
  const row: Record<string, ActionValue> = {};
  for (const { equals, target } of point.identity ?? []) row[nameOf(target)] = equals ?? null;
  for (const { value, target } of point.values ?? []) {
    const name = nameOf(target);
    row[name in row ? `${plainText(target.aggregationFunction) || 'Value'}(${name})` : name] = value ?? null;
  }
  return row;
};
