import type { ActionVisual } from '../actionEvent.ts';
import { parseRow } from './parseRow.ts';
import { isObject, plainText } from './plainChecks.ts';

/** A visual as it was understood. */
export interface ParsedVisual extends Pick<ActionVisual, 'visual' | 'rows'> {
  /** True when the selection in this visual was taken back: `data` is empty or `null`. */
  readonly isClear: boolean;
  readonly isUnclear: boolean;
}

/** Reads the selection in one visual; `name` is its ID where it does not give one. Never throws. */
export const parseVisual = (entry: unknown, name: string): ParsedVisual => {
  if (!isObject(entry)) return { visual: name, rows: [], isClear: false, isUnclear: true };
  const { data } = entry;
  const visual = plainText(entry['visual']) || name;
  if (data === null) return { visual, rows: [], isClear: true, isUnclear: false };
  if (!Array.isArray(data)) return { visual, rows: [], isClear: false, isUnclear: true };
  const rows = data.map(parseRow);
  return {
    visual,
    rows,
    isClear: rows.length === 0,
    isUnclear: rows.some(({ isUnclear }) => isUnclear),
  };
};
