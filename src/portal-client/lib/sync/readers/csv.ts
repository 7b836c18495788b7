import { Readable } from 'node:stream';
import { configError } from '../../errors.ts';
import { isRecord } from '../../json.ts';
import { holdsAddresses } from '../knownExports.ts';
import {
  addressesIn,
  createPersonReader,
  type DesiredUser,
  formatOf,
  isSame,
  missingColumn,
  nothingRead,
  type SourceOptions,
  type UserSource,
} from '../people.ts';
import { holdError, nameList, readStart, readText, type TextSource } from '../text.ts';

/** How a CSV is parsed. */
const csvForm = {
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  // Not at the end: a quote inside a cell would then be an error.
  ltrim: true,
  // All of them: an edit may leave mixed line endings.
  record_delimiter: ['\r\n', '\n', '\r'],
  info: true,
};

/**
 * Streams users from a CSV with a header line, which may be the export of a directory: see `knownExports`. Lists inside a
 * cell are separated by `|` or `;`. An empty or missing cell leaves its field unchanged; for roles and units it is an empty
 * list. A row that cannot be read is passed on with its `problem`; a file without a column that identifies people, or with
 * an open quote, is an error.
 */
export const usersFromCsv = (source: TextSource, options: SourceOptions = {}): UserSource => {
  holdError(source);
  let reading = nothingRead;
  async function* users(): AsyncGenerator<DesiredUser, void, undefined> {
    let start = '';
    const text = await readStart(readText(source, options.encoding), (read) => {
      start = read;
      return start.length >= maxStart;
    });
    const header = await findHeader(start, options);
    const { cells, people } = header;
    const notes = [...header.notes];
    yield* header.above;

    const state = { endsOpen: false, lastLine: header.line };
    const { parse } = await import('csv-parse');
    // compose, unlike pipe, passes an error of the text on to the reader of the rows.
    const rows = Readable.from(watched(text, state)).compose(
      parse({ ...csvForm, delimiter: header.delimiter }),
    );
    const columnOf = new Map<string, number>();
    const addressColumns = [...cells.keys()].filter((index) => holdsAddresses(cells[index] ?? ''));
    const toUser = (record: readonly string[], origin: string): DesiredUser =>
      people.person(
        (place) => {
          const index = columnOf.get(place) ?? cells.findIndex((cell) => isSame(cell, place));
          columnOf.set(place, index);
          return index < 0 ? undefined : (record[index] ?? '');
        },
        addressColumns.map((index) => record[index] ?? '').join('\n'),
        origin,
      );
    let waiting: { readonly user: DesiredUser; readonly isShort: boolean } | undefined;
    try {
      for await (const entry of rows) {
        const { record, line } = entryOf(entry);
        if (line <= header.line) continue;
        state.lastLine = line;
        if (waiting !== undefined) yield waiting.user;
        waiting = undefined;
        const origin = `line ${line}`;
        if (header.example?.test(record[0] ?? '')) {
          notes.push(`The example in ${origin} was skipped.`);
          continue;
        }
        const user = toUser(record, origin);
        const problem = problemOfRow(record, cells.length, user);
        const isShort = record.length < cells.length;
        const mentions = problem === undefined && !isShort ? undefined : addressesIn(record.join('\n'));
        waiting = {
          user: problem === undefined ? { ...user, mentions } : badRow(origin, problem, mentions ?? []),
          isShort,
        };
      }
    } catch (error) {
      throw readableError(error, state.lastLine);
    }
    if (waiting?.isShort && state.endsOpen)
      // Nobody knows who would follow, so the row mentions nobody: then nobody is removed.
      yield badRow(waiting.user.origin ?? '', 'the file ends in the middle of it, and may be cut off', []);
    else if (waiting !== undefined) yield waiting.user;
    reading = people.reading(cells, notes);
  }
  return { [Symbol.asyncIterator]: users, reading: () => reading };
};

/** Notes whether a text ends in the middle of a line. */
async function* watched(text: AsyncIterable<string>, state: { endsOpen: boolean }) {
  for await (const piece of text) {
    if (piece !== '') state.endsOpen = !/[\r\n]$/.test(piece);
    yield piece;
  }
}

const badRow = (origin: string, problem: string, mentions: readonly string[]): DesiredUser => ({
  email: '',
  problem,
  mentions,
  origin,
});

/** A row with trimmed cells, and the line where it ends. */
interface Row {
  readonly record: readonly string[];
  readonly line: number;
}

const entryOf = (entry: unknown): Row => {
  const { record, info } = isRecord(entry) ? entry : {};
  return {
    record: Array.isArray(record) ? record.map((cell) => String(cell).trim()) : [],
    line: isRecord(info) ? Number(info['lines']) : 0,
  };
};

/** Why the cells of a row are likely to be in the wrong columns. */
const problemOfRow = (
  record: readonly string[],
  columns: number,
  { active }: DesiredUser,
): string | undefined => {
  if (record.slice(columns).some((cell) => cell !== ''))
    return `it has ${record.length} cells, and the header has ${columns}`;
  if (record.some((cell) => /[\r\n]/.test(cell) && addressesIn(cell).length > 0))
    return 'a cell holds several lines with an address: a quotation mark may be missing';
  if (record.length < columns && active === false)
    return `it has only ${record.length} of ${columns} cells, so what says "not active" may belong to another column`;
  return undefined;
};

const readableError = (error: unknown, lastLine: number): unknown => {
  const code = isRecord(error) ? error['code'] : undefined;
  if (typeof code !== 'string' || !code.startsWith('CSV_')) return error;
  // The parser names the line in which it gave up: the last one of the file.
  const problem = code.includes('QUOTE_NOT_CLOSED')
    ? `a quote in line ${lastLine + 1} or below is never closed`
    : `line ${lastLine + 1} is not valid`;
  return configError('csv_broken', `The CSV cannot be read: ${problem}. Nothing was planned.`);
};

/** Characters and lines in which the header is looked for. */
const maxStart = 65_536;
const maxLinesAbove = 12;
const delimiters = [',', ';', '\t', '|'];

/** Finds the header: the first row whose columns tell whom the rows are about, with the delimiter that makes most columns. */
const findHeader = async (start: string, options: SourceOptions) => {
  if (start.trim() === '')
    throw configError('csv_empty', 'The CSV is empty: it has no header line. Check the source.');
  const { parse } = await import('csv-parse/sync');
  const given = options.delimiter ?? /^"?sep=([^\r\n])/i.exec(start)?.[1];
  let failure: unknown;
  const seen: Row[] = [];
  const readings = (given === undefined ? delimiters : [given]).flatMap((delimiter) => {
    const rows: Row[] = [];
    const keep = (entry: unknown) => void rows.push(entryOf(entry));
    try {
      parse(start, { ...csvForm, delimiter, to: maxLinesAbove, on_record: keep });
    } catch (error) {
      // Later rows do not matter here.
      failure ??= readableError(error, rows.at(-1)?.line ?? 0);
    }
    seen.push(...rows);
    const found = rows.map((row) => headerIn(row, options)).find((header) => header !== undefined);
    return found === undefined
      ? []
      : [{ ...found, delimiter, above: rows.filter(({ line }) => line < found.line) }];
  });
  const [header] = readings.toSorted((one, other) => other.cells.length - one.cells.length);
  if (header === undefined) throw failure ?? noHeader(seen, options);
  const { cells, people, line } = header;
  people.checkColumns(cells);
  checkTwice(cells, people.places);
  const notes: string[] = [];
  // A row above the header may be somebody's, and so may one that lost its line break to the header.
  const above = [...header.above, { record: cells, line }].flatMap((row) => {
    const [origin, addresses] = [`line ${row.line}`, addressesIn(row.record.join('\n'))];
    const problem = row.line === line ? 'the header holds an address' : 'it stands above the header';
    if (addresses.length > 0) return [badRow(origin, problem, addresses)];
    if (row.line < line && !/^"?(?:sep=|#type\b|version:)/i.test(row.record.join('')))
      notes.push(`The text above the header (${origin}) was skipped.`);
    return [];
  });
  return { ...header, above, notes };
};

/** Shows names only of a row above the first address: without a header, the first line may be somebody's data. */
const noHeader = (rows: readonly Row[], { columns = {} }: SourceOptions): Error => {
  const firstLine = rows.find(({ record }) => addressesIn(record.join('\n')).length > 0)?.line ?? 0;
  const [widest] = rows
    .filter(({ line }) => line < firstLine)
    .toSorted((one, other) => other.record.length - one.record.length);
  if (columns.email?.trim()) return missingColumn('email', columns.email, widest?.record ?? []);
  return configError(
    'csv_columns',
    'The CSV has no header with a column for the email address. Name the column "email", say which one it is with {columns}, or what the file is with {source}.',
  );
};

/** The header in a row; undefined if it names no column that tells whom the rows are about. */
const headerIn = ({ record, line }: Row, options: SourceOptions) => {
  const has = (place: string) => record.some((cell) => isSame(cell, place));
  const format = formatOf(has, options);
  const people = createPersonReader(format, options, (cell) => cell.split(/[|;]/));
  return people.identifies(has) ? { cells: record, people, example: format.example, line } : undefined;
};

const checkTwice = (cells: readonly string[], places: Readonly<Record<string, readonly string[]>>): void => {
  for (const [field, names] of Object.entries(places))
    for (const place of names)
      if (cells.filter((cell) => isSame(cell, place)).length > 1)
        throw configError(
          'csv_columns',
          `Two columns of the CSV are named ${nameList([place])}, which contains ${field}. Rename one of them.`,
        );
};
