import stringWidth from 'string-width';
import type { Colors } from './createColors.ts';
import { plainText } from './plainText.ts';

/** A column of a table. */
export interface Column<TRow> {
  readonly title: string;
  /** What `--columns` calls it: the field it shows. Default the title in lower case. */
  readonly name?: string;
  readonly value: (row: TRow) => string;
  readonly align?: 'left' | 'right';
  /** Narrowest it may become when the terminal is narrow. Default 6. */
  readonly minWidth?: number;
  /** Shown only when `--columns` names it. Default false. */
  readonly isOptional?: boolean;
  /** Colours the text of the cell, after it was measured and cut. */
  readonly paint?: (text: string, colors: Colors) => string;
}

const gap = '  ';

/** A table without lines. When it is wider than `width`, the widest columns are cut first. */
export const formatTable = <TRow>(
  rows: readonly TRow[],
  columns: readonly Column<TRow>[],
  { width, colors }: { readonly width: number; readonly colors: Colors },
): string => {
  const cells = rows.map((row) => columns.map((column) => plainText(column.value(row))));
  const widths = fitWidths(
    columns.map((column, index) => ({
      natural: cells.reduce(
        (most, line) => Math.max(most, stringWidth(line[index] ?? '')),
        stringWidth(column.title),
      ),
      min: Math.max(stringWidth(column.title), column.minWidth ?? 6),
    })),
    width - gap.length * (columns.length - 1),
  );
  type Paint = (text: string, index: number) => string;
  const formatLine = (texts: readonly string[], paint: Paint): string =>
    columns
      .map((column, index) => {
        const fitted = cut(texts[index] ?? '', widths[index] ?? 0);
        const padding = ' '.repeat(Math.max(0, (widths[index] ?? 0) - stringWidth(fitted)));
        const painted = paint(fitted, index);
        return column.align === 'right' ? padding + painted : painted + padding;
      })
      .join(gap)
      .trimEnd();
  const titles = columns.map((column) => column.title);
  return [
    formatLine(titles, (text) => colors.bold(text)),
    ...cells.map((texts) =>
      formatLine(texts, (text, index) => columns[index]?.paint?.(text, colors) ?? text),
    ),
  ].join('\n');
};

/** Widths that fit: the widest column gives until all fit, none below its least. */
const fitWidths = (
  columns: readonly { readonly natural: number; readonly min: number }[],
  available: number,
): number[] => {
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
