import { configError } from '../../errors.ts';
import { isRecord, type JsonRecord } from '../../json.ts';
import { pagingMarkIn, plainName } from '../knownExports.ts';
import {
  createPersonReader,
  createUserSource,
  type DesiredUser,
  type Lookup,
  type SourceOptions,
  type UserSource,
} from '../people.ts';
import { counted, nameList, type TextSource } from '../text.ts';

/**
 * Reads users from JSON: an array, NDJSON (one user per line), `{users: [...]}` under any name, or the response of a
 * directory, such as a SCIM ListResponse (RFC 7643, 7644): see `knownExports`. Names of fields may be in any case. A record
 * that cannot be read is passed on with its `problem`; a list that says that it is incomplete, or text that is cut off, is
 * an error.
 */
export const usersFromJson = (source: TextSource, options: SourceOptions = {}): UserSource =>
  createUserSource(source, options, async (text) => {
    const identifies = (value: unknown) =>
      isRecord(value) && createPersonReader(namesIn(value), options).identifies;
    const values = valuesIn(text, identifies);
    const names = new Set<string>();
    for (const { value } of values) if (isRecord(value)) for (const name of namesIn(value)) names.add(name);
    const people = createPersonReader([...names], options);
    const checkNoPage = ({ value, origin }: Value) => {
      if (isRecord(value) && listsOfPeople(value, identifies).length > 0)
        throw incomplete(`${origin} of the JSON is itself a list of users`);
    };
    if (!people.identifies) values.forEach(checkNoPage);
    if (values.length > 0) people.checkColumns();
    if (values.length > 0 && !people.identifies)
      throw configError(
        'json_fields',
        `No record of the JSON has a field for the email address; the fields are ${nameList([...names])}. Name it "email", or say which one it is with {columns}.`,
      );
    function* users(): Generator<DesiredUser, void, undefined> {
      for (const entry of values) {
        const { value, origin } = entry;
        const user = isRecord(value)
          ? people.person(lookupIn(value), origin)
          : { email: '', problem: 'it is not a record', origin };
        if (user.email === '') checkNoPage(entry);
        yield user;
      }
    }
    return { users: users(), reading: people.reading([]) };
  });

/** A value of a source, still without meaning. */
interface Value {
  readonly value: unknown;
  readonly origin: string;
}

/** The values of a document, or of the lines of NDJSON. */
const valuesIn = (text: string, identifies: (value: unknown) => boolean): readonly Value[] => {
  const root = parse(text);
  if (root !== undefined)
    return rowsIn(root, identifies).map((value, index) => ({ value, origin: `entry ${index + 1}` }));
  const lines = text
    .split('\n')
    .map((line, index) => ({ line, origin: `line ${index + 1}` }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, origin }) => ({ value: parse(line), origin }));
  // A broken line in the middle is one bad row; at the end it means that more may be missing.
  if (isRecord(lines[0]?.value) && isRecord(lines.at(-1)?.value)) return lines;
  throw configError('json_broken', 'The source is not complete or not valid JSON. Nothing was planned.');
};

/** The value of a JSON; undefined if it is broken. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The rows of a document: an array, the only list of people in an object, or one person. Rejects a list that is not whole. */
const rowsIn = (root: unknown, identifies: (value: unknown) => boolean): readonly unknown[] => {
  if (Array.isArray(root)) return root;
  const response = isRecord(root) ? root : {};
  const people = listsOfPeople(response, identifies);
  if (people.length > 1)
    throw configError(
      'json_shape',
      `The JSON has several lists of users: ${nameList(people.map(({ name }) => name))}. Join them to one list, or leave one of them out.`,
    );
  if (people.length === 0 && identifies(root)) return [root];
  const [list, ...others] = people.length > 0 ? people : listsIn(response);
  if (list === undefined || others.length > 0)
    throw configError(
      'json_shape',
      `The JSON has no list of users; its fields are ${nameList(Object.keys(response)) || 'none'}. Use an array, one record per line, or an object with one list of users.`,
    );
  const mark = pagingMarkIn(response, list.rows.length);
  if (mark === undefined) return list.rows;
  throw incomplete(
    `The JSON has ${counted(list.rows.length, 'user')}, and its field ${nameList([mark])} says that this is not the whole list`,
  );
};

const incomplete = (what: string) =>
  configError(
    'json_incomplete',
    `${what}: it is one of several pages, has only changes, or the export failed. Join the pages to one list, or export all users.`,
  );

/** The lists of records in an object. */
const listsIn = (response: JsonRecord) =>
  Object.entries(response).flatMap(([name, rows]) =>
    Array.isArray(rows) && (rows.length === 0 || rows.some(isRecord))
      ? [{ name, rows: rows as unknown[] }]
      : [],
  );

/** Those with a person among their first records. */
const listsOfPeople = (response: JsonRecord, identifies: (value: unknown) => boolean) =>
  listsIn(response).filter(({ rows }) => rows.slice(0, 100).some(identifies));

/** The names of a record, with those inside its records. */
const namesIn = (record: JsonRecord): readonly string[] =>
  Object.entries(record).flatMap(([name, value]) =>
    isRecord(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );

/** Finds values by name in any case, and inside a record by a dotted name. */
const lookupIn = (record: JsonRecord): Lookup => {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(record)) {
    fields.set(plainName(name), value);
    for (const [inner, its] of Object.entries(isRecord(value) ? value : {}))
      fields.set(plainName(`${name}.${inner}`), its);
  }
  return (name) => fields.get(plainName(name));
};
