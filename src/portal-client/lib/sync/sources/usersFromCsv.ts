import { Readable } from 'node:stream';
import type { CsvError } from 'csv-parse';
import type { PortalError } from '../../errors/portalError.ts';
import { asText, isRecord } from '../../responses/jsonValues.ts';
import type { DesiredUser } from '../desiredState.ts';
import { type CsvField, columnNames, csvFields, plainName } from './csvFields.ts';
import { readActive } from './readActive.ts';
import { nameList, readText, sourceError, type TextSource } from './readText.ts';

/** Options of {@link usersFromCsv}. */
export interface CsvOptions {
  /** Cell separator. Default: that of a first line such as `sep=;`, else `,`, `;` or tab, the most frequent in the header. */
  readonly delimiter?: string | undefined;
  /** Column names of the source by field, for unknown headers: `{ email: 'Work mail' }`. */
  readonly columns?: Readonly<Partial<Record<CsvField, string>>> | undefined;
  /** Skips unknown columns. Default false: an unknown column is an error, because it may be misspelled. */
  readonly ignoreColumns?: boolean | undefined;
}

/**
 * Streams users from a CSV with a header line. Lists inside a cell are separated by `|` or `;`, in quotes if that separates
 * cells. An empty cell leaves its field unchanged; for roles and units it is an empty list, which `emptyClears` of
 * `planSync` applies. A missing address column, an unknown column, a broken quote or a line of another length is an
 * error: rows are never skipped.
 */
export async function* usersFromCsv(
  source: TextSource,
  options: CsvOptions = {},
): AsyncGenerator<DesiredUser, void, undefined> {
  const { delimiter, headerLine, text } = await withDelimiter(readText(source), options.delimiter);
  // Load the parser only when a CSV is read.
  const { CsvError, parse } = await import('csv-parse');
  let fields: readonly (CsvField | undefined)[] = [];
  let lastLine = 0;
  // compose, unlike pipe, passes an error of the text on to the reader of the rows.
  const parser = Readable.from(text).compose(
    parse({
      delimiter,
      // All of them: an edit may leave mixed line endings.
      record_delimiter: ['\r\n', '\n', '\r'],
      bom: true,
      from_line: headerLine,
      trim: true,
      skip_empty_lines: true,
      // What a spreadsheet leaves below its table: `,,,`.
      skip_records_with_empty_values: true,
      info: true,
      on_record: (entry: unknown, { lines }) => {
        lastLine = lines;
        return entry;
      },
      columns: (header: string[]) => {
        lastLine = headerLine;
        fields = readHeader(header, options);
        return header.map((_, index) => String(index));
      },
    }),
  );
  let isEmpty = true;
  try {
    for await (const entry of parser) {
      isEmpty = false;
      yield toUser(entry, fields);
    }
  } catch (error) {
    throw error instanceof CsvError ? readableError(error, fields.length, lastLine) : error;
  }
  if (isEmpty && fields.length === 0)
    throw sourceError('csv_empty', 'The CSV is empty: it has no header line. Check the source.');
}

/** Converts the parser's error codes to sentences. */
const readableError = (error: CsvError, columnCount: number, lastLine: number): PortalError => {
  const { lines, record } = error;
  // The parser names the line in which it gave up: the last one of the file.
  if (error.code.includes('QUOTE_NOT_CLOSED'))
    return sourceError(
      'csv_broken',
      `The CSV cannot be read: a quote in line ${lastLine + 1} or below is never closed. Nothing was planned.`,
    );
  const place = typeof lines === 'number' ? `Line ${lines} of the CSV` : 'The CSV';
  const cells = Array.isArray(record) ? record.length : 'another number of';
  return sourceError(
    'csv_broken',
    `${place} cannot be read: ${problemOf(error.code, { cells, columnCount })}. Nothing was planned.`,
  );
};

const problemOf = (
  code: string,
  { cells, columnCount }: { readonly cells: number | string; readonly columnCount: number },
): string => {
  if (code.includes('RECORD_INCONSISTENT'))
    return `it has ${cells} ${cells === 1 ? 'cell' : 'cells'}, and the header has ${columnCount}`;
  if (code.includes('QUOTE'))
    return 'a quote is in the middle of a cell. Put the cell in quotes and double each quote inside it';
  return 'it is not valid CSV';
};

const withDelimiter = async (text: AsyncGenerator<string, void, undefined>, given: string | undefined) => {
  let start = '';
  // Guessing the delimiter needs the whole header, which may arrive in several chunks.
  while (!start.trimStart().includes('\n') && start.length < maxHeaderLength) {
    const next = await text.next();
    if (next.done) break;
    start += next.value;
  }
  async function* all(): AsyncGenerator<string, void, undefined> {
    yield start;
    yield* text;
  }
  const [, named] = separatorLine.exec(start) ?? [];
  return {
    delimiter: given ?? named ?? guessDelimiter(start),
    headerLine: named === undefined ? 1 : 2,
    text: all(),
  };
};

const maxHeaderLength = 65_536;

/** What spreadsheets read as the name of the separator, and some programs write before the header. */
const separatorLine = /^\uFEFF?"?sep=([^\r\n])"?[^\w\r\n]*(?:\r\n?|\n)/i;

const guessDelimiter = (start: string): string => {
  const header = start.trimStart().split(/\r?\n/, 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.toSorted((one, other) => other.count - one.count)[0]?.delimiter ?? ',';
};

const readHeader = (
  header: readonly string[],
  { columns = {}, ignoreColumns }: CsvOptions,
): readonly (CsvField | undefined)[] => {
  const fields = header.map((name) =>
    csvFields.find((field) => {
      const given = columns[field];
      return given === undefined
        ? columnNames[field].some((known) => known === plainName(name))
        : given.trim() === name.trim();
    }),
  );
  const lost = csvFields.find((field) => columns[field] !== undefined && !fields.includes(field));
  if (lost !== undefined)
    throw sourceError(
      'csv_columns',
      `The CSV has no column ${JSON.stringify(columns[lost]?.slice(0, 40))}, which the columns option maps to ${lost}; its columns are ${nameList(header)}.`,
    );
  const twice = csvFields.find((field) => fields.filter((other) => other === field).length > 1);
  if (twice !== undefined)
    throw sourceError(
      'csv_columns',
      `Two columns of the CSV contain ${twice}. Choose one with the columns option.`,
    );
  if (!fields.includes('email'))
    throw sourceError(
      'csv_columns',
      `The CSV has no column for the email address; its columns are ${nameList(header)}. Name it "email", or map it with the columns option.`,
    );
  const unknown = header.filter((name, index) => fields[index] === undefined && name.trim() !== '');
  if (unknown.length > 0 && ignoreColumns !== true)
    throw sourceError(
      'csv_columns',
      `The CSV has ${unknown.length === 1 ? 'an unknown column' : 'unknown columns'}: ${nameList(unknown)}. Known columns are ${csvFields.join(', ')}. Correct the header, map the columns with {columns}, or set {ignoreColumns}.`,
    );
  return fields;
};

const toUser = (entry: unknown, fields: readonly (CsvField | undefined)[]): DesiredUser => {
  const record = isRecord(entry) && isRecord(entry['record']) ? entry['record'] : {};
  const info = isRecord(entry) && isRecord(entry['info']) ? entry['info'] : {};
  const cell = (field: CsvField): string | undefined => {
    const index = fields.indexOf(field);
    return index < 0 ? undefined : (asText(record[String(index)]) ?? '');
  };
  const name = (field: CsvField) => cell(field) || undefined;
  const list = (field: CsvField) =>
    cell(field)
      ?.split(/[|;]/)
      .map((text) => text.trim())
      .filter((text) => text !== '');
  return {
    email: cell('email') ?? '',
    type: name('type'),
    firstName: name('firstName'),
    lastName: name('lastName'),
    roles: list('roles'),
    organizationUnits: list('organizationUnits'),
    active: readActive(cell('active')),
    origin: `line ${String(info['lines'])}`,
  };
};
