import stringWidth from 'string-width';
import type { Colors } from './createColors.ts';
import { plainText } from './text.ts';

/** A column of a table. */
export interface Column<TRow> {
  readonly title: string;
  readonly value: (row: TRow) => string;
  readonly align?: 'left' | 'right';
  /** Whether it is never cut: times, types, numbers. Default: whether it is aligned right. */
  readonly keepsWidth?: boolean;
}

/** Layout of a table. */
export interface TableLayout {
  /** Columns of the terminal; infinite for a file or program. */
  readonly width: number;
  readonly colors: Colors;
}

const gap = '  ';

/**
 * Formats a table without borders. If it is wider than `width`, the widest texts are cut first. If they would be too short,
 * each row is a record: a line for each column, with the whole text.
 */
export const formatTable = <TRow>(
  rows: readonly TRow[],
  columns: readonly Column<TRow>[],
  { width, colors }: TableLayout,
): string => {
  const cells = rows.map((row) => columns.map((column) => plainText(column.value(row))));
  const titles = columns.map(({ title }) => title);
  const natural = columns.map(({ title }, index) =>
    cells.reduce((most, line) => Math.max(most, stringWidth(line[index] ?? '')), stringWidth(title)),
  );
  const widths = fitWidths(natural, columns, width - gap.length * (columns.length - 1));
  if (widths === undefined)
    return cells
      .map((line) =>
        formatFields(
          line.map((text, index) => [titles[index] ?? '', text]),
          colors,
        ),
      )
      .join('\n\n');
  const formatLine = (texts: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const fitted = cut(texts[index] ?? '', widths[index] ?? 0);
        const padding = ' '.repeat(Math.max(0, (widths[index] ?? 0) - stringWidth(fitted)));
        return align === 'right' ? padding + fitted : fitted + padding;
      })
      .join(gap)
      .trimEnd();
  return [colors.bold(formatLine(titles)), ...cells.map(formatLine)].join('\n');
};

/** Formats one line for each field. */
export const formatFields = (fields: readonly (readonly [string, string])[], colors: Colors): string => {
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, text]) => `${colors.dim(name.padEnd(width))}  ${text}`).join('\n');
};

/** The shortest text that still says something. */
const narrowest = 8;

/** Widths that fit: as natural, up to the widest that all texts can have. Undefined if that is too short. */
const fitWidths = <TRow>(
  natural: readonly number[],
  columns: readonly Column<TRow>[],
  available: number,
): readonly number[] | undefined => {
  for (let widest = Math.max(...natural); widest >= narrowest; widest -= 1) {
    const widths = columns.map(({ align, keepsWidth = align === 'right' }, index) =>
      Math.min(natural[index] ?? 0, keepsWidth ? Number.POSITIVE_INFINITY : widest),
    );
    if (widths.reduce((sum, width) => sum + width, 0) <= available) return widths;
  }
  return undefined;
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
