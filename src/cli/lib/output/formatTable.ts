import stringWidth from 'string-width';
import type { Colors } from './createColors.ts';
import { plainText } from './plainText.ts';

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
}

/** Layout of a table. */
export interface TableLayout {
  /** Columns of the terminal; infinite for a file or program. */
  readonly width: number;
  readonly colors: Colors;
}

interface ColumnSize {
  readonly natural: number;
  readonly min: number;
  readonly keepsWidth: boolean;
}

const gap = '  ';

/** Formats a table without borders. If it is wider than `width`, the widest texts are cut first, and finally headings. */
export const formatTable = <TRow>(
  rows: readonly TRow[],
  columns: readonly Column<TRow>[],
  { width, colors }: TableLayout,
): string => {
  const cells = rows.map((row) => columns.map((column) => plainText(column.value(row))));
  const sizes = columns.map((column, index) => ({
    natural: Math.max(
      stringWidth(column.title),
      cells.reduce((most, line) => Math.max(most, stringWidth(line[index] ?? '')), 0),
    ),
    min: column.minWidth ?? Math.max(stringWidth(column.title), 6),
    keepsWidth: column.keepsWidth ?? column.align === 'right',
  }));
  const widths = fitWidths(sizes, width - gap.length * (columns.length - 1));
  const formatLine = (texts: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const fitted = cut(texts[index] ?? '', widths[index] ?? 0);
        const padding = ' '.repeat(Math.max(0, (widths[index] ?? 0) - stringWidth(fitted)));
        return align === 'right' ? padding + fitted : fitted + padding;
      })
      .join(gap)
      .trimEnd();
  return [colors.bold(formatLine(columns.map(({ title }) => title))), ...cells.map(formatLine)].join('\n');
};

/** Minimum width of any column: two characters and `…`. */
const narrowest = 3;

/** Widths that fit: cuts the widest texts to their minimum, then further, and finally also times, types and numbers. */
const fitWidths = (columns: readonly ColumnSize[], available: number): readonly number[] => {
  const widths = columns.map(({ natural }) => natural);
  const steps: readonly ((column: ColumnSize) => number)[] = [
    ({ natural, min, keepsWidth }) => (keepsWidth ? natural : min),
    ({ natural, keepsWidth }) => (keepsWidth ? natural : narrowest),
    () => narrowest,
  ];
  for (const least of steps)
    for (let excess = widths.reduce((sum, width) => sum + width, 0) - available; excess > 0; excess -= 1) {
      const spare = widths.map((width, index) => (width > least(columns[index] as ColumnSize) ? width : 0));
      const widest = Math.max(...spare);
      if (widest === 0) break;
      widths[spare.indexOf(widest)] = widest - 1;
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
