import stringWidth from 'string-width';
import type { Colors } from './createColors.ts';
import { plainText } from './plainText.ts';
import { wrapWords } from './wrapWords.ts';

/** A column of a table. */
export interface Column<TRow> {
  readonly title: string;
  /** Its name in `--columns`: the field that it shows. Default: the title in lower case. */
  readonly name?: string;
  readonly value: (row: TRow) => string;
  readonly align?: 'left' | 'right';
  /** Minimum width on a narrow terminal. Default: that of the title, and at least 6. */
  readonly minWidth?: number;
  /** Whether it is cut only when every text is at its shortest: times, types, numbers. Default: whether it is aligned right. */
  readonly keepsWidth?: boolean;
  /** Whether it is only shown if `--columns` names it. Default false. */
  readonly isOptional?: boolean;
  /** Colors the text of the cell, after measuring and cutting. */
  readonly paint?: (text: string, colors: Colors) => string;
}

/** Layout of a table. */
export interface TableLayout {
  /** Columns of the terminal; infinite for a file or program. */
  readonly width: number;
  readonly colors: Colors;
  readonly wraps?: boolean;
}

interface ColumnSize {
  readonly natural: number;
  readonly min: number;
  readonly keepsWidth: boolean;
}

const gap = '  ';

/**
 * Formats a table without borders. If it is wider than `width`, the widest texts are cut first, and finally headings;
 * with `wraps`, nothing is cut, and the last column wraps.
 */
export const formatTable = <TRow>(
  rows: readonly TRow[],
  columns: readonly Column<TRow>[],
  { width, colors, wraps = false }: TableLayout,
): string => {
  const cells = rows.map((row) => columns.map((column) => plainText(column.value(row))));
  const sizes = columns.map((column, index) => ({
    natural: cells.reduce(
      (most, line) => Math.max(most, stringWidth(line[index] ?? '')),
      stringWidth(column.title),
    ),
    min: column.minWidth ?? Math.max(stringWidth(column.title), 6),
    keepsWidth: column.keepsWidth ?? column.align === 'right',
  }));
  const available = width - gap.length * (columns.length - 1);
  const widths = wraps ? wrapWidths(sizes, available) : fitWidths(sizes, available);
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
    ...cells
      .flatMap((texts) => (wraps ? wrapLast(texts, widths.at(-1) ?? 0) : [texts]))
      .map((texts) => formatLine(texts, (text, index) => columns[index]?.paint?.(text, colors) ?? text)),
  ].join('\n');
};

/** Minimum width of the last column on a narrow terminal. */
const minLastWidth = 24;

/** Widths with wrapping: every column fits its texts, and the last one gets the rest. */
const wrapWidths = (columns: readonly ColumnSize[], available: number): readonly number[] => {
  const widths = columns.map((column) => column.natural);
  const others = widths.slice(0, -1);
  const left = available - others.reduce((total, width) => total + width, 0);
  return [...others, Math.min(widths.at(-1) ?? 0, Math.max(left, minLastWidth))];
};

/** Wraps the last text of a row onto further lines. */
const wrapLast = (texts: readonly string[], width: number): readonly (readonly string[])[] => {
  if (!Number.isFinite(width)) return [texts];
  const others = texts.slice(0, -1);
  return wrapWords(texts.at(-1) ?? '', width).map((part, line) =>
    line === 0 ? [...others, part] : [...others.map(() => ''), part],
  );
};

/** Absolute minimum width of a column: two characters and `…`. */
const narrowest = 3;

/**
 * Widths that fit: shrinks the texts to their minimum widths, the widest first, then in proportion to these widths, and
 * finally all columns, to the absolute minimum.
 */
const fitWidths = (columns: readonly ColumnSize[], available: number): readonly number[] => {
  const steps: readonly ((column: ColumnSize) => { readonly least: number; readonly weight: number })[] = [
    ({ natural, min, keepsWidth }) => ({ least: keepsWidth ? natural : min, weight: 1 }),
    ({ natural, min, keepsWidth }) => ({ least: keepsWidth ? natural : narrowest, weight: min }),
    () => ({ least: narrowest, weight: 1 }),
  ];
  return steps.reduce<readonly number[]>(
    (widths, step) => shrink(widths, columns.map(step), available),
    columns.map((column) => column.natural),
  );
};

/** Shrinks the column that is the widest for its weight, again and again, until all fit or have their least width. */
const shrink = (
  start: readonly number[],
  limits: readonly { readonly least: number; readonly weight: number }[],
  available: number,
): readonly number[] => {
  const widths = [...start];
  let excess = widths.reduce((total, width) => total + width, 0) - available;
  for (; excess > 0; excess -= 1) {
    let widest = -1;
    let most = 0;
    for (const [index, { least, weight }] of limits.entries()) {
      const width = widths[index] ?? 0;
      if (width <= least || width / weight <= most) continue;
      widest = index;
      most = width / weight;
    }
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
};

/** Cuts a text to `width` columns, with `…` at the end. Cuts between grapheme clusters. */
const cut = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text;
  let shown = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(shown + segment) > width - 1) break;
    shown += segment;
  }
  return `${shown}…`;
};
