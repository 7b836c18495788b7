import { configError } from '../../errors.ts';
import { asCount, asText, isRecord, type JsonRecord } from '../../json.ts';
import { plainName } from '../knownExports.ts';
import {
  createPersonReader,
  createUserSource,
  type DesiredUser,
  type Lookup,
  type SourceOptions,
  type UserSource,
} from '../people.ts';
import { planFormat } from '../syncPlan.ts';
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
    const { values, originOf } = valuesIn(text, identifies);
    const names = new Set<string>();
    for (const value of values) if (isRecord(value)) for (const name of namesIn(value)) names.add(name);
    const people = createPersonReader([...names], options);
    const checkNoPage = (value: unknown, index: number) => {
      if (isRecord(value) && listsOfPeople(value, identifies).length > 0)
        throw incomplete(`${originOf(index)} of the JSON is itself a list of users`);
    };
    if (!people.identifies) values.forEach(checkNoPage);
    if (values.length > 0) people.checkColumns();
    if (values.length > 0 && !people.identifies)
      throw configError(
        'json_fields',
        `No record of the JSON has a field for the email address; the fields are ${nameList([...names])}. Name it "email", or say which one it is with {columns}.`,
      );
    function* users(): Generator<DesiredUser, void, undefined> {
      for (const [index, value] of values.entries()) {
        const user = isRecord(value)
          ? people.person(lookupIn(value), originOf(index))
          : { email: '', problem: 'it is not a record', origin: originOf(index) };
        if (user.email === '') checkNoPage(value, index);
        yield user;
      }
    }
    return { users: users(), reading: people.reading([]) };
  });

/** The values of a document, or of the lines of NDJSON, still without meaning, and where each of them stands. */
const valuesIn = (text: string, identifies: (value: unknown) => boolean) => {
  const root = parse(text);
  if (root !== undefined)
    return { values: rowsIn(root, identifies), originOf: (index: number) => `entry ${index + 1}` };
  const lines = [...text.split('\n').entries()].filter(([, line]) => line.trim() !== '');
  const values = lines.map(([, line]) => parse(line));
  const numbers = lines.map(([index]) => index + 1);
  // A broken line in the middle is one bad row; at the end it means that more may be missing.
  if (isRecord(values[0]) && isRecord(values.at(-1)))
    return { values, originOf: (index: number) => `line ${numbers[index]}` };
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
  if (response['format'] === planFormat.format)
    throw configError('json_shape', 'The JSON is a plan of a sync, and no list of users.');
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

const text = (value: unknown): string => asText(value)?.trim().toLowerCase() ?? '';

/** Whether a value is something: not empty, not false, not zero, not only of such values. */
const isSomething = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(isSomething)
    : !['', 'null', 'false', '0'].includes(text(value));

/** What the fields of a list's response say about further pages and failures, by their plain names. */
const pagingMarks: readonly (readonly [name: RegExp, saysMore: (value: unknown, rows: number) => boolean])[] =
  [
    [
      /^links?$/,
      (value) =>
        Array.isArray(value) &&
        value.some((link) => isRecord(link) && (link['rel'] ?? link['relation']) === 'next'),
    ],
    [
      /^(?:is)?(?:last(?:page)?|complete|done|finished)(?:indicator)?$|^(?:success|ok)$/,
      (value) => text(value) === 'false',
    ],
    [
      /^status(?:code)?$/,
      (value) => /^(?:error|fail|partial|incomplete|truncated|206|[45]\d\d$)/.test(text(value)),
    ],
    [/more/, (value) => text(value) === 'true' || (asCount(value) ?? 0) > 0],
    // Something to continue with, something before, what changes are counted from, or what went wrong.
    [
      /^(?:has)?(?:more|next|prev(?:ious)?|errors?)$|truncated|partial|incomplete|timedout|exceeded|(?:next|prev(?:ious)?|delta|continuation|paging|pagination|resum|skip|scroll).*(?:page|url|uri|href|link|token|cursor|marker|key|batch|offset|start|index|id)$|continuation$|^\$?pagetoken$|^lastevaluatedkey$|^(?:cursor|marker|bookmark)$/,
      isSomething,
    ],
    [
      /^(?:(?:total|current|last)?pages?|pages?(?:count|number)|startindex|from|of)$/,
      (value) => (asCount(value) ?? 0) > 1,
    ],
    [/^(?:offset|skip|start(?:at)?|remaining|left)$/, (value) => (asCount(value) ?? 0) > 0],
    [
      /(?:^|[.:@])x?(?:total|count|totals?(?:results|count|number|items|elements|size|records|users|hits|rows|entries|members|people|employees|workers)|records?(?:total|filtered|count)|numfound|(?:result|row|item|user|hit)s?count)$/,
      (value, rows) => (asCount(value) ?? rows) !== rows,
    ],
  ];

/** The field that says that a response has not all rows. Directories put it beside the list, or some levels deeper. */
const pagingMarkIn = (response: JsonRecord, rows: number, levels = 3): string | undefined => {
  for (const [name, value] of Object.entries(response)) {
    const plain = plainName(name);
    if (pagingMarks.some(([mark, saysMore]) => mark.test(plain) && saysMore(value, rows))) return name;
    const inner = isRecord(value) && levels > 0 ? pagingMarkIn(value, rows, levels - 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
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
