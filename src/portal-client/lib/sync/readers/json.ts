import { asCount, asText, isRecord, type JsonRecord, member } from '../../json.ts';
import { holdsAddresses, isAboutOthers, pagingMarks, plainName } from '../knownExports.ts';
import {
  addressesIn,
  createPersonReader,
  type DesiredUser,
  formatOf,
  type Lookup,
  type SourceOptions,
  type SourceReading,
  type UserSource,
} from '../people.ts';
import { holdError, nameList, readText, sourceError, type TextSource } from '../text.ts';

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
  let reading: SourceReading = { readAs: 'nothing', used: [], skipped: [], notes: [], doubtful: [] };
  async function* users(): AsyncGenerator<DesiredUser, void, undefined> {
    const names = new Map<string, string>();
    let people: ReturnType<typeof createPersonReader> | undefined;
    for await (const { value, text, problem = 'it is not a record', origin } of valuesOf(
      readText(source, options.encoding),
    )) {
      if (!isRecord(value)) {
        yield { email: '', problem, mentions: addressesIn(text), origin };
        continue;
      }
      const fields = fieldsOf(value);
      for (const name of namesIn(value))
        if (names.size < maxNames && !names.has(plainName(name))) names.set(plainName(name), name);
      const lookup = lookupIn(fields);
      people ??= createPersonReader(
        formatOf((place) => lookup(place) !== undefined, options),
        options,
      );
      const person = people.person(lookup, addressTextOf(value), origin);
      const twice = twiceIn(value);
      yield twice === undefined
        ? person
        : {
            email: '',
            problem: `it has the field ${nameList([twice])} twice`,
            mentions: addressesIn(JSON.stringify(value)),
            origin,
          };
    }
    if (people === undefined) return;
    const has = (place: string) => names.has(plainName(place));
    if (!people.identifies(has))
      throw sourceError(
        'json_fields',
        `No record of the JSON has a field for the email address; the fields are ${nameList([...names.values()])}. Name it "email", or say which one it is with {columns}.`,
      );
    people.checkColumns(has);
    reading = people.reading(names.values(), []);
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

type Fields = ReadonlyMap<string, unknown>;

const fieldsOf = (record: JsonRecord): Fields =>
  new Map(Object.entries(record).map(([name, value]) => [plainName(name), value]));

/** A field whose name is there in two spellings. */
const twiceIn = (record: JsonRecord): string | undefined => {
  const seen = new Set<string>();
  return Object.keys(record).find((name) => {
    const plain = plainName(name);
    return seen.size === seen.add(plain).size;
  });
};

/** Finds values by name in any case, and inside a record by a dotted name. */
const lookupIn =
  (fields: Fields): Lookup =>
  (place) => {
    const wanted = plainName(place);
    if (fields.has(wanted)) return fields.get(wanted);
    const [outer = '', inner] = wanted.split('.');
    const value = inner === undefined ? undefined : fields.get(outer);
    return inner !== undefined && isRecord(value) ? fieldsOf(value).get(inner) : undefined;
  };

interface SourceValue {
  readonly value: unknown;
  /** The text of a value that is not a record. */
  readonly text: string;
  /** Why a value is not a record. */
  readonly problem?: string;
  readonly origin: string;
}

/** The users of a JSON text, still without meaning. */
async function* valuesOf(text: AsyncIterable<string>): AsyncGenerator<SourceValue, void, undefined> {
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
  for (const [index, value] of listOf(whole.value).entries()) {
    checkNoPage(value, `Entry ${index + 1}`);
    yield { value, text: isRecord(value) ? '' : JSON.stringify(value), origin: `entry ${index + 1}` };
  }
  // Users who did not change are not in the list, so it counts as a row for anybody, and nobody is removed.
  if (isRecord(whole.value) && fieldsOf(whole.value).has('@odata.deltalink'))
    yield {
      value: undefined,
      text: '',
      problem: 'it says that the list only has users who changed, so nobody is known to be missing',
      origin: '@odata.deltaLink',
    };
}

const broken = (what: string) =>
  sourceError('json_broken', `${what} is not complete or not valid JSON. Nothing was planned.`);

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
  return { value, text, origin: `line ${line}` };
};

/** Rejects a whole response among records: nobody knows whether all of its pages are there. */
const checkNoPage = (value: unknown, where: string): void => {
  if (isRecord(value) && lists(value).length > 0)
    throw sourceError(
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

const lists = (record: JsonRecord): readonly (readonly unknown[])[] => {
  const fields = fieldsOf(record);
  return listNames.map((name) => fields.get(name)).filter((value) => Array.isArray(value));
};

/** Whether a record is about one person. */
const identifies = (record: JsonRecord): boolean => {
  const fields = fieldsOf(record);
  return ['email', 'username', 'primaryemail', 'mail', 'userprincipalname'].some((name) => fields.has(name));
};

const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  if (isRecord(value)) {
    const [list] = lists(value);
    if (list !== undefined) {
      checkOneList(value, list);
      return checkComplete(value, list);
    }
    if (identifies(value)) return [value];
  }
  throw sourceError(
    'json_shape',
    'The JSON has no list of users. Use an array, one record per line, {"users": [...]} or a SCIM ListResponse.',
  );
};

/** Rejects a second list of people beside the one that is read: they would be missing. */
const checkOneList = (response: JsonRecord, list: readonly unknown[]): void => {
  const names = Object.keys(response).filter((name) => {
    const value = response[name];
    const isOther = Array.isArray(value) && value.some((entry) => isRecord(entry) && identifies(entry));
    return value === list || isOther;
  });
  if (names.length > 1)
    throw sourceError(
      'json_shape',
      `The JSON has several lists of users: ${nameList(names)}. Join them to one list, or leave one of them out.`,
    );
};

/** Rejects a list that says itself that there is more of it. */
const checkComplete = (response: JsonRecord, list: readonly unknown[]): readonly unknown[] => {
  const marks = marksIn(response, list);
  const mark = marks.find(({ says }) => says === 'more') ?? marks.find(({ says }) => says === 'full');
  const isWhole = marks.some(({ says }) => says === 'whole');
  if (mark === undefined || (mark.says === 'full' && isWhole)) return list;
  throw sourceError(
    'json_incomplete',
    `The JSON has ${list.length} users, and its field ${nameList([mark.name])} says that this is not the whole list: it is one of several pages. Join the pages first.`,
  );
};

interface PagingMark {
  readonly name: string;
  /** That there are more rows, that the page is full (so there may be), or that this is all. */
  readonly says: 'more' | 'full' | 'whole';
}

/** What the fields beside a list say about further pages. Directories put them beside the list, or some levels deeper. */
const marksIn = (response: JsonRecord, list: readonly unknown[], levels = 3): readonly PagingMark[] =>
  Object.entries(response).flatMap(([name, value]) => {
    if (value === list) return [];
    const says = readMark(plainName(name), value, list.length);
    const inner = isRecord(value) && levels > 0 ? marksIn(value, list, levels - 1) : [];
    return says === undefined ? inner : [{ name, says }, ...inner];
  });

const readMark = (name: string, value: unknown, length: number): PagingMark['says'] | undefined => {
  const is = (mark: keyof typeof pagingMarks) => pagingMarks[mark].test(name);
  const text = asText(value)?.trim().toLowerCase() ?? '';
  const count = asCount(value);
  const leads = isRecord(value)
    ? Object.values(value).some((inner) => inner !== null && inner !== '' && inner !== false)
    : !['', 'null', 'false', '0'].includes(text);
  if (name === 'links') return Array.isArray(value) && value.some(isNextLink) ? 'more' : undefined;
  if (is('more') && /^(?:true|false)$/.test(text)) return text === 'true' ? 'more' : 'whole';
  if (is('last') && /^(?:true|false)$/.test(text)) return text === 'false' ? 'more' : 'whole';
  if (is('next') || is('previous')) return leads ? 'more' : undefined;
  if (is('cursor')) return leads && !isRecord(value) ? 'full' : undefined;
  if (count === undefined) return undefined;
  if (is('pages')) return count > 1 ? 'more' : undefined;
  if (is('total')) return count === length ? 'whole' : 'more';
  if (is('offset')) return count > (name === 'startindex' ? 1 : 0) ? 'more' : undefined;
  if (is('limit')) return count > length ? 'whole' : 'full';
  return is('size') && count > length ? 'full' : undefined;
};

const isNextLink = (link: unknown): boolean => isRecord(link) && member(link, 'rel') === 'next';
