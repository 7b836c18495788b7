import type * as Library from 'csv-parse/sync';
import { configError } from '../../errors.ts';
import {
  createPersonReader,
  createUserSource,
  type DesiredUser,
  type SourceOptions,
  type UserSource,
} from '../people.ts';
import { nameList, type TextSource } from '../text.ts';

const delimiters = [',', ';', '\t', '|'];
/** Rows among which the header is looked for. */
const maxRowsAbove = 12;

/**
 * Reads users from a CSV with a header line, which may be the export of a directory: see `knownExports`. Lists inside a
 * cell are separated by `|` or `;`. An empty or missing cell leaves its field unchanged; for roles and units it is an empty
 * list. A row that cannot be read is passed on with its `problem`; a file without a column that identifies people, or with
 * an open quote, is an error.
 */
export const usersFromCsv = (source: TextSource, options: SourceOptions = {}): UserSource =>
  createUserSource(source, options, async (text) => {
    const { parse } = await import('csv-parse/sync');
    const given = options.delimiter ?? /^"?sep=([^\r\n])/i.exec(text)?.[1];
    const tried = (given === undefined ? delimiters : [given]).map((delimiter) => ({
      delimiter,
      ...rowsIn(text, delimiter, parse, maxRowsAbove),
    }));
    /** The header is the first row whose columns tell whom the rows are about, with the delimiter that makes most columns. */
    const [header] = tried
      .flatMap(({ delimiter, rows }) => {
        const split = (cell: string) => cell.split(/[|;]/);
        return rows
          .map(({ record: cells, line }) => ({
            cells,
            line,
            delimiter,
            people: createPersonReader(cells, options, split),
          }))
          .filter(({ people }) => people.identifies)
          .slice(0, 1);
      })
      .toSorted((one, other) => other.cells.length - one.cells.length);
    if (header === undefined) {
      const { email } = options.columns ?? {};
      const column =
        email === undefined ? 'a column for the email address' : `the column ${nameList([email])}`;
      throw (
        tried.find(({ failure }) => failure !== undefined)?.failure ??
        // Shows no cell: without a header, the first line may be somebody's data.
        configError(
          'csv_columns',
          `The CSV has no header with ${column}. Name the column "email", say which one it is with {columns}, or what the file is with {source}.`,
        )
      );
    }
    const { cells, people, line: headerLine } = header;
    people.checkColumns();
    const { rows, failure } = rowsIn(text, header.delimiter, parse);
    if (failure !== undefined) throw failure;
    const above = rows.filter(({ line }) => line < headerLine);
    const isExample = ({ record: [first = ''] }: Row) => people.example?.test(first) === true;
    const notes = [
      ...above
        .filter(({ record }) => !holdsAddress(record.join()) && !marks.test(record.join('')))
        .map(({ line }) => `The text above the header (line ${line}) was skipped.`),
      ...rows.filter(isExample).map(({ line }) => `The example in line ${line} was skipped.`),
    ];
    const userOf = (row: Row): DesiredUser => {
      const user = people.person((name) => row.record[cells.indexOf(name)] ?? '', `line ${row.line}`);
      const isShort = row.record.length < cells.length;
      const isCut = isShort && row === rows.at(-1) && !/[\r\n]$/.test(text);
      const problem = isCut
        ? 'the file ends in the middle of it, and may be cut off'
        : problemOf(row.record, cells.length, user);
      if (problem !== undefined) return badRow(row, problem);
      return isShort ? { ...user, isShort } : user;
    };
    function* users(): Generator<DesiredUser, void, undefined> {
      // A row above the header may be somebody's, and so may one that lost its line break to the header.
      for (const row of above)
        if (holdsAddress(row.record.join())) yield badRow(row, 'it stands above the header');
      if (holdsAddress(cells.join())) yield badRow({ line: headerLine }, 'the header holds an address');
      for (const row of rows) if (row.line > headerLine && !isExample(row)) yield userOf(row);
    }
    return { users: users(), reading: people.reading(notes) };
  });

/** What programs write above the header. */
const marks = /^"?(?:sep=|#type\b|version:)/i;

/** A row with trimmed cells, and the line where it ends. */
interface Row {
  readonly record: readonly string[];
  readonly line: number;
}

const badRow = ({ line }: Pick<Row, 'line'>, problem: string): DesiredUser => ({
  email: '',
  problem,
  origin: `line ${line}`,
});

const holdsAddress = (text: string): boolean => /[^\s@]@[^\s@]/.test(text);

/** The rows of a CSV, up to the failure if there is one. */
const rowsIn = (
  text: string,
  delimiter: string,
  parse: typeof Library.parse,
  to = -1,
): { readonly rows: readonly Row[]; readonly failure?: unknown } => {
  const rows: Row[] = [];
  try {
    parse(text, {
      delimiter,
      to,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      // Not at the end: a quote inside a cell would then be an error.
      ltrim: true,
      // All of them: an edit may leave mixed line endings.
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record: (record: readonly string[], { lines }) =>
        void rows.push({ record: record.map((cell) => cell.trim()), line: lines }),
    });
    return { rows };
  } catch {
    // The parser names the line in which it gave up: the last one of the file.
    const problem = `a quote in line ${(rows.at(-1)?.line ?? 0) + 1} or below is never closed`;
    const failure = configError('csv_broken', `The CSV cannot be read: ${problem}. Nothing was planned.`);
    return { rows, failure };
  }
};

/** Why the cells of a row are likely to be in the wrong columns. */
const problemOf = (
  record: readonly string[],
  columns: number,
  { active }: DesiredUser,
): string | undefined => {
  if (record.slice(columns).some((cell) => cell !== ''))
    return `it has ${record.length} cells, and the header has ${columns}`;
  if (record.some((cell) => /[\r\n]/.test(cell) && holdsAddress(cell)))
    return 'a cell holds several lines with an address: a quotation mark may be missing';
  if (record.length < columns && active === false)
    return `it has only ${record.length} of ${columns} cells, so what says "not active" may belong to another column`;
  return undefined;
};
