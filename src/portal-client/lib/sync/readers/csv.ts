import { Readable } from 'node:stream';
import { isRecord } from '../../json.ts';
import {
  addressesIn,
  createPersonReader,
  type DesiredUser,
  formatOf,
  isSame,
  type SourceOptions,
  type SourceReading,
  type UserSource,
} from '../people.ts';
import { nameList, readText, sourceError, type TextSource } from '../text.ts';

/** Options that a CSV has in common with its parser, in every use. */
const csvForm = {
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
  // Not at the end: a quote inside a cell would then be an error.
  ltrim: true,
  // All of them: an edit may leave mixed line endings.
  record_delimiter: ['\r\n', '\n', '\r'],
};

/**
 * Streams users from a CSV with a header line, which may be the export of a directory: see `knownExports`. Lists inside a
 * cell are separated by `|` or `;`. An empty or missing cell leaves its field unchanged; for roles and units it is an empty
 * list. A row that cannot be read is passed on with its `problem`; a file without a column that identifies people, or with
 * an open quote, is an error.
 */
export const usersFromCsv = (source: TextSource, options: SourceOptions = {}): UserSource => {
  let reading: SourceReading = { readAs: 'nothing', used: [], skipped: [], notes: [], doubtful: [] };
  async function* users(): AsyncGenerator<DesiredUser, void, undefined> {
    const text = readText(source, options.encoding);
    const header = await findHeader(text, options);
    const { cells, people } = header;
    const notes = [...header.notes];
    reading = people.reading(cells, notes);
    yield* header.above;

    const state = { endsOpen: false, lastLine: header.lines };
    const { parse } = await import('csv-parse');
    // compose, unlike pipe, passes an error of the text on to the reader of the rows.
    const rows = Readable.from(remember(header.rest(text), state)).compose(
      parse({ ...csvForm, delimiter: header.delimiter, info: true, skip_records_with_empty_values: true }),
    );
    const columnOf = new Map<string, number>();
    const toUser = (record: readonly string[], origin: string): DesiredUser =>
      people.person((place) => {
        const known = columnOf.get(place);
        const index = known ?? cells.findIndex((cell) => isSame(cell, place));
        if (known === undefined) columnOf.set(place, index);
        return index < 0 ? undefined : (record[index] ?? '');
      }, origin);
    let waiting: { readonly user: DesiredUser; readonly isShort: boolean } | undefined;
    try {
      for await (const entry of rows) {
        const { record, line } = entryOf(entry, header.lines);
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

const badRow = (origin: string, problem: string, mentions: readonly string[]): DesiredUser => ({
  email: '',
  problem,
  mentions,
  origin,
});

const entryOf = (entry: unknown, linesAbove: number) => {
  const { record, info } = isRecord(entry) ? entry : {};
  const lines = isRecord(info) ? Number(info['lines']) : 0;
  return {
    record: Array.isArray(record) ? record.map((cell) => String(cell).trim()) : [],
    line: linesAbove + lines,
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

/** Notes whether a text ends in the middle of a line. */
async function* remember(text: AsyncIterable<string>, state: { endsOpen: boolean }) {
  for await (const piece of text) {
    if (piece !== '') state.endsOpen = !/[\r\n]$/.test(piece);
    yield piece;
  }
}

const readableError = (error: unknown, lastLine: number): unknown => {
  const code = isRecord(error) ? error['code'] : undefined;
  if (typeof code !== 'string' || !code.startsWith('CSV_')) return error;
  // The parser names the line in which it gave up: the last one of the file.
  const problem = code.includes('QUOTE_NOT_CLOSED')
    ? `a quote in line ${lastLine + 1} or below is never closed`
    : `line ${lastLine + 1} is not valid`;
  return sourceError('csv_broken', `The CSV cannot be read: ${problem}. Nothing was planned.`);
};

const maxHeaderCharacters = 65_536;
const maxLinesAbove = 12;

interface StartRecord {
  readonly text: string;
  /** Where the next record begins, and how many lines are above it. */
  readonly end: number;
  readonly lines: number;
  readonly firstLine: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** Finds the line of the header: the first whose columns tell whom the rows are about. */
const findHeader = async (text: AsyncGenerator<string, void, undefined>, options: SourceOptions) => {
  let start = '';
  let isWhole = false;
  let records: readonly StartRecord[] = [];
  while (!isWhole && start.length < maxHeaderCharacters) {
    const next = await text.next();
    if (next.done) isWhole = true;
    else start += next.value;
    records = recordsAtStart(start, isWhole);
    if (records.length > maxLinesAbove) break;
  }
  if (start.trim() === '')
    throw sourceError('csv_empty', 'The CSV is empty: it has no header line. Check the source.');

  const { parse } = await import('csv-parse/sync');
  const named = /^"?sep=([^\r\n])/i.exec(start)?.[1];
  const notes: string[] = [];
  const above: DesiredUser[] = [];
  for (const record of records.slice(0, maxLinesAbove)) {
    const delimiter = options.delimiter ?? named ?? mostFrequent(record.counts);
    const cells = parseRecord(record, (text) => parse(text, { ...csvForm, delimiter }));
    const has = (place: string) => cells.some((cell) => isSame(cell, place));
    const format = formatOf(has, options);
    const people = createPersonReader(format, options, (cell) => cell.split(/[|;]/));
    if (people.identifies(has)) {
      people.checkColumns(has);
      checkTwice(cells, people.places);
      // A row that lost its line break to the header is somebody's, too.
      const merged = addressesIn(record.text);
      if (merged.length > 0)
        above.push(badRow(`line ${record.lines}`, 'the header holds an address', merged));
      return {
        cells,
        people,
        delimiter,
        example: format.example,
        notes,
        above,
        lines: record.lines,
        async *rest(more: AsyncIterable<string>) {
          yield start.slice(record.end);
          yield* more;
        },
      };
    }
    const origin = `line ${record.lines}`;
    const addresses = addressesIn(record.text);
    // It may be somebody's row, so it is not passed over.
    if (addresses.length > 0) above.push(badRow(origin, 'it stands above the header', addresses));
    else if (!/^"?(?:sep=|#type\b|version:)/i.test(record.text.trim()) && record.text.trim() !== '')
      notes.push(`The text above the header (${origin}) was skipped.`);
  }
  // No name is shown: without a header, the first line may be somebody's data.
  throw sourceError(
    'csv_columns',
    'The CSV has no header with a column for the email address. Name the column "email", say which one it is with {columns}, or what the file is with {source}.',
  );
};

const parseRecord = (
  { text, firstLine }: StartRecord,
  parse: (text: string) => string[][],
): readonly string[] => {
  try {
    return (parse(text)[0] ?? []).map((cell) => cell.trim());
  } catch (error) {
    throw readableError(error, firstLine - 1);
  }
};

const checkTwice = (cells: readonly string[], places: Readonly<Record<string, readonly string[]>>): void => {
  for (const [field, names] of Object.entries(places))
    for (const place of names)
      if (cells.filter((cell) => isSame(cell, place)).length > 1)
        throw sourceError(
          'csv_columns',
          `Two columns of the CSV are named ${nameList([place])}, which contains ${field}. Rename one of them.`,
        );
};

const delimiters = [',', ';', '\t', '|'];

const mostFrequent = (counts: ReadonlyMap<string, number>): string =>
  delimiters.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))[0] ?? ',';

/** The first records of a text, with the delimiters outside quotes. A quote counts at the start of a cell only. */
const recordsAtStart = (text: string, isWhole: boolean): readonly StartRecord[] => {
  const records: StartRecord[] = [];
  let counts = new Map<string, number>();
  let [begin, lines, firstLine, isQuoted, isCellStart] = [0, 0, 1, false, true];
  for (let at = 0; at < text.length && records.length <= maxLinesAbove; at += 1) {
    const character = text.charAt(at);
    const isBreak = character === '\n' || (character === '\r' && text.charAt(at + 1) !== '\n');
    if (isBreak) lines += 1;
    if (character === '"' && (isQuoted || isCellStart)) isQuoted = !isQuoted;
    else if (!isQuoted && isBreak) {
      records.push({ text: text.slice(begin, at), end: at + 1, lines, firstLine, counts });
      begin = at + 1;
      firstLine = lines + 1;
      counts = new Map();
    } else if (!isQuoted && delimiters.includes(character))
      counts.set(character, (counts.get(character) ?? 0) + 1);
    isCellStart = isQuoted
      ? false
      : delimiters.includes(character) || isBreak || (isCellStart && character === ' ');
  }
  if (isWhole && begin < text.length)
    records.push({ text: text.slice(begin), end: text.length, lines: lines + 1, firstLine, counts });
  return records;
};
