import type { ActionVisualData } from '@vitrine/contract';
import { isObject, isPlainValue } from './plainChecks.ts';

const isTarget = (target: unknown): boolean =>
  isObject(target) &&
  typeof target['column'] === 'string' &&
  (target['table'] === undefined || typeof target['table'] === 'string');

const checkEntries = (entries: unknown, valueName: 'equals' | 'value'): boolean => {
  if (entries === undefined || entries === null) return true;
  if (!Array.isArray(entries)) return false;
  for (const entry of entries)
    if (!isObject(entry) || !isPlainValue(entry[valueName] ?? null) || !isTarget(entry['target']))
      return false;
  return true;
};

/**
 * Whether the visual data has the shape of interface 6.1. Written by hand, because it runs on every row of every event:
 * it costs a few per cent of parsing the same bytes, a schema library up to as much again.
 */
export const checkVisuals = (visuals: readonly unknown[]): visuals is readonly ActionVisualData[] => {
  for (const visual of visuals) {
    if (!isObject(visual)) return false;
    const data = visual['data'];
    if (!Array.isArray(data)) return false;
    for (const point of data)
      if (
        !isObject(point) ||
        !checkEntries(point['identity'], 'equals') ||
        !checkEntries(point['values'], 'value')
      )
        return false;
  }
  return true;
};
