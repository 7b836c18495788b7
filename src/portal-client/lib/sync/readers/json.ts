import { configError } from '../../errors.ts';
import { asCount, asText, isRecord, type JsonRecord } from '../../json.ts';
import { holdsAddresses, isAboutOthers, pagingMarks, plainName } from '../knownExports.ts';
import {
  addressesIn,
  createPersonReader,
  type DesiredUser,
  formatOf,
  type Lookup,
  nothingRead,
  type PersonReader,
  type SourceOptions,
  type UserSource,
} from '../people.ts';
import { holdError, nameList, readText, type TextSource } from '../text.ts';
import { repeatedName } from './repeatedName.ts';

/** Names of a list of users in a response. */
const listNames = [
  'users',
  'resources',
  'items',
  'value',
  'values',
  'data',
  'results',
  'members',
  'employees',
];

/**
 * Reads users from JSON: an array, NDJSON (one user per line, streamed), `{users: [...]}`, or the response of a directory,
 * such as a SCIM ListResponse (RFC 7643, 7644): see `knownExports`. Names of fields may be in any case. A record that cannot
 * be read is passed on with its `problem`; a list that says that it is incomplete, or text that is cut off, is an error.
 */
export const usersFromJson = (source: TextSource, options: SourceOptions = {}): UserSource => {
  holdError(source);
  let reading = nothingRead;
  async function* users(): AsyncGenerator<DesiredUser, void, undefined> {
    const names = new Map<string, string>();
    const state = { hasOnlyChanges: false };
    let people: PersonReader | undefined;
    for await (const { value, text, origin, repeated } of valuesOf(
      readText(source, options.encoding),
      state,
    )) {
      if (!isRecord(value) || repeated !== undefined) {
        const problem =
          repeated === undefined ? 'it is not a record' : `it has the field ${nameList([repeated])} twice`;
        yield { email: '', problem, mentions: addressesIn(text), origin };
        continue;
      }
      for (const name of namesIn(value))
        if (names.size < maxNames && !names.has(plainName(name))) names.set(plainName(name), name);
      const lookup = lookupIn(value);
      people ??= createPersonReader(
        formatOf((place) => lookup(place) !== undefined, options),
        options,
      );
      yield people.person(lookup, addressTextOf(value), origin);
    }
    if (people === undefined) return;
    const has = (place: string) => names.has(plainName(place));
    if (!people.identifies(has))
      throw configError(
        'json_fields',
        `No record of the JSON has a field for the email address; the fields are ${nameList([...names.values()])}. Name it "email", or say which one it is with {columns}.`,
      );
    people.checkColumns(has);
    reading = { ...people.reading(names.values(), []), ...(state.hasOnlyChanges && state) };
  }
  return { [Symbol.asyncIterator]: users, reading: () => reading };
};

const maxNames = 200;

/** The names of a record, with those inside its records. */
const namesIn = (record: JsonRecord): readonly string[] =>
  Object.entries(record).flatMap(([name, value]) =>
    isRecord(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );

/** The values of a record that may hold addresses, also one level deeper. */
const addressTextOf = (record: JsonRecord): string =>
  Object.entries(record)
    .flatMap(([name, value]) =>
      isRecord(value) && !isAboutOthers(name) ? Object.entries(value) : [[name, value] as const],
    )
    .map(([name, value]) => (holdsAddresses(name) ? JSON.stringify(value) : ''))
    .join('\n');

const fieldsOf = (record: JsonRecord): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(record).map(([name, value]) => [plainName(name), value]));

/** Finds values by name in any case, and inside a record by a dotted name. */
const lookupIn = (record: JsonRecord): Lookup => {
  const fields = fieldsOf(record);
  return (place) => {
    const wanted = plainName(place);
    if (fields.has(wanted)) return fields.get(wanted);
    const [outer = '', inner] = wanted.split('.');
    const value = inner === undefined ? undefined : fields.get(outer);
    return inner !== undefined && isRecord(value) ? fieldsOf(value).get(inner) : undefined;
  };
};

interface SourceValue {
  readonly value: unknown;
  /** The text of a value that is not a record. */
  readonly text: string;
  readonly origin: string;
  /** A name that a line has twice. */
  readonly repeated?: string | undefined;
}

/** The users of a JSON text, still without meaning. */
async function* valuesOf(
  text: AsyncIterable<string>,
  state: { hasOnlyChanges: boolean },
): AsyncGenerator<SourceValue, void, undefined> {
  let rest = '';
  let line = 0;
  let isLines: boolean | undefined;
  for await (const piece of text) {
    rest += piece;
    isLines ??= looksLikeLines(rest);
    if (isLines !== true) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const one of lines) {
      line += 1;
      if (one.trim() !== '') yield lineValue(one, line);
    }
  }
  if (isLines === true) {
    const last = rest.trim() === '' ? undefined : lineValue(rest, line + 1);
    // A broken line in the middle is one bad row; at the end it means that more may be missing.
    if (last !== undefined && !isRecord(last.value)) throw broken(`Line ${line + 1} of the source`);
    if (last !== undefined) yield last;
    return;
  }
  const whole = parse(rest);
  if (whole === undefined) throw broken('The source');
  const repeated = repeatedName(rest);
  if (repeated !== undefined)
    throw configError(
      'json_repeated',
      `The JSON has an object with the field ${nameList([repeated])} twice, of which only the last would be read. Leave one of them out, or join them if they are lists. Nothing was planned.`,
    );
  for (const [index, value] of listOf(whole.value).entries()) {
    checkNoPage(value, `Entry ${index + 1}`);
    yield { value, text: isRecord(value) ? '' : JSON.stringify(value), origin: `entry ${index + 1}` };
  }
  state.hasOnlyChanges = isRecord(whole.value) && fieldsOf(whole.value).has('@odata.deltalink');
}

const broken = (what: string) =>
  configError('json_broken', `${what} is not complete or not valid JSON. Nothing was planned.`);

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

const lineValue = (text: string, line: number): SourceValue => {
  const value = parse(text)?.value;
  checkNoPage(value, `Line ${line}`);
  const repeated = value === undefined ? undefined : repeatedName(text);
  return { value, text, origin: `line ${line}`, repeated };
};

/** Rejects a whole response among records: nobody knows whether all of its pages are there. */
const checkNoPage = (value: unknown, where: string): void => {
  if (isRecord(value) && lists(value).length > 0)
    throw configError(
      'json_incomplete',
      `${where} of the JSON is itself a list of users: it is one of several pages. Join the pages to one list first.`,
    );
};

/** Whether a text is NDJSON: its first line is a whole record. Undefined until that line is complete. */
const looksLikeLines = (start: string): boolean | undefined => {
  const text = start.trimStart();
  if (text === '') return undefined;
  if (!text.startsWith('{')) return false;
  const end = text.indexOf('\n');
  if (end < 0) return undefined;
  const first = parse(text.slice(0, end))?.value;
  if (!isRecord(first)) return false;
  if (lists(first).length === 0) return true;
  // One response on one line is no NDJSON; two are pages.
  const more = text.slice(end).trim();
  return more === '' ? undefined : more.startsWith('{');
};

interface List {
  readonly name: string;
  readonly rows: readonly unknown[];
}

const arraysIn = (record: JsonRecord): readonly List[] =>
  Object.entries(record).flatMap(([name, rows]) => (Array.isArray(rows) ? [{ name, rows }] : []));

const lists = (record: JsonRecord): readonly List[] =>
  arraysIn(record).filter(({ name }) => listNames.includes(plainName(name)));

/** Whether a value is a record about one person. */
const identifies = (value: unknown): boolean => {
  const fields = isRecord(value) ? fieldsOf(value) : undefined;
  return ['email', 'username', 'primaryemail', 'mail', 'userprincipalname'].some((name) => fields?.has(name));
};

/** The users of a JSON. Rejects a list that is not the whole one, and a second list of people, who would be missing. */
const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  const [list] = isRecord(value) ? lists(value) : [];
  if (list === undefined && identifies(value)) return [value];
  if (!isRecord(value) || list === undefined)
    throw configError(
      'json_shape',
      'The JSON has no list of users. Use an array, one record per line, {"users": [...]} or a SCIM ListResponse.',
    );
  const names = arraysIn(value)
    .filter(({ name, rows }) => name === list.name || rows.some(identifies))
    .map(({ name }) => name);
  if (names.length > 1)
    throw configError(
      'json_shape',
      `The JSON has several lists of users: ${nameList(names)}. Join them to one list, or leave one of them out.`,
    );
  const mark = markIn(value, list.rows);
  if (mark !== undefined)
    throw configError(
      'json_incomplete',
      `The JSON has ${list.rows.length} users, and its field ${nameList([mark])} says that this is not the whole list: it is one of several pages, or the export failed. Join the pages, or export again.`,
    );
  return list.rows;
};

/** A field that says that there are further pages. Directories put it beside the list, or some levels deeper. */
const markIn = (response: JsonRecord, list: readonly unknown[], levels = 3): string | undefined => {
  for (const [name, value] of Object.entries(response)) {
    if (value === list) continue;
    if (saysMore(plainName(name), value, list.length)) return name;
    const inner = isRecord(value) && levels > 0 ? markIn(value, list, levels - 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
};

const saysMore = (name: string, value: unknown, length: number): boolean => {
  const is = (mark: keyof typeof pagingMarks) => pagingMarks[mark].test(name);
  const text = asText(value)?.trim().toLowerCase() ?? '';
  const count = asCount(value);
  if (name === 'links')
    return Array.isArray(value) && value.some((link) => isRecord(link) && link['rel'] === 'next');
  if (is('more') && /^(?:true|false)$/.test(text)) return text === 'true';
  if (is('last') && text === 'false') return true;
  if (is('leads'))
    return isRecord(value)
      ? Object.values(value).some((inner) => inner !== null && inner !== '' && inner !== false)
      : !['', 'null', 'false', '0'].includes(text);
  if (count === undefined) return false;
  if (is('total')) return count !== length;
  return count > (name === 'startindex' || is('pages') ? 1 : 0) && (is('pages') || is('offset'));
};
