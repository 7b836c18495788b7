import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { Colors } from './createColors.ts';
import { plainText } from './plainText.ts';

/** A column of a table. */
export interface Column<TRow> {
  readonly title: string;
  readonly value: (row: TRow) => string;
  readonly align?: 'left' | 'right';
  /** Narrowest it may become when the terminal is narrow. Default 6. */
  readonly minWidth?: number;
  /** Colours the text of the cell, after it was measured and cut. */
  readonly paint?: (text: string, colors: Colors) => string;
}

const gap = 2;

/** A table without lines that fits the terminal: when it is too wide, the widest columns give first. */
export const formatTable = <TRow>(
  rows: readonly TRow[],
  columns: readonly Column<TRow>[],
  { width, colors }: { readonly width: number; readonly colors: Colors },
): string => {
  const cells = rows.map((row) => columns.map((column) => plainText(column.value(row))));
  const widths = fitWidths(
    columns.map((column, index) => ({
      natural: Math.max(stringWidth(column.title), ...cells.map((line) => stringWidth(line[index] ?? ''))),
      min: Math.max(stringWidth(column.title), column.minWidth ?? 6),
    })),
    width - gap * (columns.length - 1),
  );
  const table = new Table({
    chars: noLines,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: columns.map((column) => column.align ?? 'left'),
    colWidths: widths,
  });
  table.push(columns.map((column, index) => colors.bold(cut(column.title, widths[index] ?? 0))));
  for (const line of cells)
    table.push(
      line.map((text, index) => {
        const fitted = cut(text, widths[index] ?? 0);
        return columns[index]?.paint?.(fitted, colors) ?? fitted;
      }),
    );
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
};

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(gap),
};

/** Widths that fit: the widest column gives until all fit, none below its least. */
const fitWidths = (columns: readonly { natural: number; min: number }[], available: number): number[] => {
  const widths = columns.map((column) => column.natural);
  const sum = () => widths.reduce((total, width) => total + width, 0);
  while (sum() > available) {
    const widest = widths.reduce(
      (best, width, index) =>
        width > (columns[index]?.min ?? 0) && width > (widths[best] ?? -1) ? index : best,
      -1,
    );
    const current = widths[widest];
    if (current === undefined) break;
    widths[widest] = current - 1;
  }
  return widths;
};

/** A text of at most `width` columns; what was longer ends in `…`. Cut between what a reader sees as characters. */
const cut = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text;
  let shown = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(shown + segment) > width - 1) break;
    shown += segment;
  }
  return `${shown}…`;
};
