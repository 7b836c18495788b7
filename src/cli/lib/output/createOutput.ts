import type { Io } from '../io.ts';
import { chooseColumns } from './chooseColumns.ts';
import { type Colors, createColors, noColors } from './createColors.ts';
import { type Column, formatTable } from './formatTable.ts';
import { formatValue } from './formatValue.ts';
import { plainText } from './plainText.ts';
import { UsageError } from './usageError.ts';
import { wrapWords } from './wrapWords.ts';

/** The output of a command. Results go to stdout, everything else to stderr. */
export interface Output {
  readonly format: 'table' | 'json';
  readonly colors: Colors;
  /** Colors for stderr. */
  readonly errorColors: Colors;
  readonly isQuiet: boolean;
  /** Width of the terminal on stdout; infinite without one, so that output to a file or program is not cut. */
  readonly width: number;
  /** Writes a line of the result. */
  readonly line: (text: string) => void;
  /** Writes a note for people; silent with `--quiet`. */
  readonly note: (text: string) => void;
  /** Writes what a person has to act on, also with `--quiet`. */
  readonly warn: (text: string) => void;
  /** Writes one record: as JSON, or one line per field. */
  readonly record: (record: object) => void;
  /** Writes rows: as a table, or as one JSON array. Resolves to their number. */
  readonly rows: <TRow extends object>(rows: Rows<TRow>, view: RowView<TRow>) => Promise<number>;
}

/** Rows of a result. */
export type Rows<TRow> = Iterable<TRow> | AsyncIterable<TRow>;

/** How rows look in a table. */
export interface RowView<TRow> {
  readonly columns: readonly Column<TRow>[];
  /** Name of a row: `user`, for the note about an empty list. */
  readonly noun: string;
  /** Rows shown in a table; programs get all of them. */
  readonly limit?: number | undefined;
}

/** Creates the output. Colors and format depend on the options and the terminal. */
export const createOutput = (io: Io, options: Readonly<Record<string, unknown>>): Output => {
  const mayColor = options['color'] !== false;
  const colors = mayColor ? createColors(io, io.stdout) : noColors;
  const errorColors = mayColor ? createColors(io, io.stderr) : noColors;
  const isQuiet = options['quiet'] === true;
  const format = options['json'] === true ? 'json' : 'table';
  const width = io.stdout.isTTY === true ? io.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  const wanted = wantedColumns(options['columns']);
  const line = (text: string) => void io.stdout.write(`${text}\n`);
  const warn = (text: string) => {
    const isTerminal = io.stderr.isTTY === true;
    const lines = isTerminal ? wrapWords(text, io.stderr.columns || 80) : [text];
    io.stderr.write(`${lines.join('\n')}\n`);
  };
  const note = (text: string) => {
    if (!isQuiet) warn(text);
  };

  const table = async <TRow extends object>(rows: Rows<TRow>, view: RowView<TRow>): Promise<number> => {
    const limit = view.limit ?? Number.POSITIVE_INFINITY;
    const shown: TRow[] = [];
    let hasMore = false;
    for await (const row of rows) {
      hasMore = shown.length >= limit;
      if (hasMore) break;
      shown.push(row);
    }
    if (shown.length === 0) note(`No ${view.noun}s.`);
    else {
      const columns = wanted === undefined ? view.columns : chooseColumns(view.columns, wanted, shown);
      line(formatTable(shown, columns, { width, colors }));
    }
    if (hasMore)
      note(
        `Only ${limit} ${limit === 1 ? `${view.noun} is` : `${view.noun}s are`} shown. Add --all for the rest.`,
      );
    return shown.length;
  };

  return {
    format,
    colors,
    errorColors,
    isQuiet,
    width,
    line,
    note,
    warn,
    record: (record) => {
      if (format !== 'table') line(JSON.stringify(record, undefined, 2));
      else line(formatRecord(record, colors));
    },
    rows: async (rows, view) => {
      if (format === 'table') return table(rows, view);
      let count = 0;
      for await (const row of rows) {
        const names = wanted && chooseColumns(view.columns, wanted, [row]).map(({ name }) => name);
        const fields = names?.map((name) => [name, Reflect.get(row, name) ?? null]);
        const text = JSON.stringify(fields === undefined ? row : Object.fromEntries(fields));
        io.stdout.write(`${count === 0 ? '[\n' : ',\n'}  ${text}`);
        count += 1;
        await drained(io.stdout);
      }
      line(count === 0 ? '[]' : '\n]');
      return count;
    },
  };
};

const wantedColumns = (option: unknown): readonly string[] | undefined => {
  if (typeof option !== 'string') return undefined;
  const names = option
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0)
    throw new UsageError('--columns is empty. Use field names, such as --columns id,name.');
  return names;
};

/** Waits for a slow reader, so that a long list does not fill the memory. */
const drained = async (stream: Io['stdout']): Promise<void> => {
  if ('writableNeedDrain' in stream && stream.writableNeedDrain === true)
    await new Promise<void>((resolve) => {
      stream.once('drain', resolve);
    });
};

const formatRecord = (record: object, colors: Colors): string => {
  const entries = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [plainText(name), value] as const);
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  return entries
    .map(([name, value]) => `${colors.dim(name.padEnd(width))}  ${formatValue(value)}`)
    .join('\n');
};
