import type { Io } from '../io.ts';
import { type Colors, createColors } from './createColors.ts';
import { type Column, formatFields, formatTable } from './formatTable.ts';
import { formatValue, plainText } from './text.ts';

/** The output of a command. Results go to stdout, everything else to stderr. */
export interface Output {
  readonly format: 'table' | 'json';
  readonly colors: Colors;
  readonly isQuiet: boolean;
  /** Width of the terminal on stdout; infinite without one, so that output to a file or program is not cut. */
  readonly width: number;
  /** Writes a line of the result. */
  readonly line: (text: string) => void;
  /** Writes a note for people; silent with `--quiet`. */
  readonly note: (text: string) => void;
  /** Writes what a person has to act on, also with `--quiet`. */
  readonly warn: (text: string) => void;
  /** Writes one record: as JSON, or as a text; without one, a line for each field. */
  readonly record: (record: object, text?: string) => void;
  /** Writes what a command did: as JSON, or as a note. So each command prints one JSON value with `--json`. */
  readonly done: (result: object, text: string) => void;
  /** Writes rows: as a table, or as one JSON array. */
  readonly rows: <TRow extends object>(rows: Rows<TRow>, view: RowView<TRow>) => Promise<void>;
}

/** Rows of a result. */
export type Rows<TRow> = Iterable<TRow> | AsyncIterable<TRow>;

/** How rows look in a table. */
export interface RowView<TRow> {
  readonly columns: readonly Column<TRow>[];
  /** Name of a row: `user`, for the note about an empty list. */
  readonly noun: string;
}

/** Creates the output. Colors and format depend on the options and the terminal. */
export const createOutput = (io: Io, options: Readonly<Record<string, unknown>>): Output => {
  const colors = createColors(io);
  const isQuiet = options['quiet'] === true;
  const format = options['json'] === true ? 'json' : 'table';
  const width = io.stdout.isTTY === true ? io.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  const line = (text: string) => void io.stdout.write(`${text}\n`);
  const warn = (text: string) => void io.stderr.write(`${text}\n`);
  const note = (text: string) => {
    if (!isQuiet) warn(text);
  };

  const table = async <TRow extends object>(rows: Rows<TRow>, view: RowView<TRow>): Promise<void> => {
    const shown: TRow[] = [];
    for await (const row of rows) shown.push(row);
    if (shown.length === 0) note(`No ${view.noun}s.`);
    else line(formatTable(shown, view.columns, { width, colors }));
  };

  const record: Output['record'] = (fields, text) =>
    line(format === 'table' ? (text ?? formatRecord(fields, colors)) : JSON.stringify(fields, undefined, 2));

  return {
    format,
    colors,
    isQuiet,
    width,
    line,
    note,
    warn,
    record,
    done: (result, text) => (format === 'table' ? note(text) : record(result)),
    rows: async (rows, view) => {
      if (format === 'table') return table(rows, view);
      let count = 0;
      for await (const row of rows) {
        io.stdout.write(`${count === 0 ? '[\n' : ',\n'}  ${JSON.stringify(row)}`);
        count += 1;
      }
      line(count === 0 ? '[]' : '\n]');
    },
  };
};

const formatRecord = (record: object, colors: Colors): string => {
  const fields = Object.entries(record).filter(([, value]) => value !== undefined);
  return formatFields(
    fields.map(([name, value]) => [plainText(name), formatValue(value)]),
    colors,
  );
};
