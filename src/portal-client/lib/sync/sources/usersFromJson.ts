import { isRecord, type JsonRecord, member } from '../../responses/jsonValues.ts';
import type { DesiredUser } from '../desiredState.ts';
import { csvFields, plainName } from './csvFields.ts';
import { incompleteMark } from './incompleteMark.ts';
import { textField } from './jsonFields.ts';
import { knownFields } from './knownFields.ts';
import { readActive } from './readActive.ts';
import { nameList, readText, sourceError, startOf, type TextSource } from './readText.ts';
import { asGiven, isScimUser, scimFields, userFromScim, withoutExtensions } from './userFromScim.ts';

/** Options of {@link usersFromJson}. */
export interface JsonOptions {
  /** Skips unknown fields. Default false: an unknown field is an error, because it may be misspelled. */
  readonly ignoreColumns?: boolean | undefined;
}

/**
 * Reads users from JSON: an array, NDJSON (one user per line, streamed), `{users: [...]}`, or SCIM 2.0 users, bare or
 * in a ListResponse (RFC 7643, 7644). Names of fields may be in any case. Anything else, such as an unknown field, is
 * an error: rows are never skipped.
 */
export async function* usersFromJson(
  source: TextSource,
  options: JsonOptions = {},
): AsyncGenerator<DesiredUser, void, undefined> {
  const read = (value: unknown, origin: string) => readUser(value, { ...options, origin });
  let rest = '';
  let line = 0;
  let isLines: boolean | undefined;
  for await (const piece of readText(source)) {
    rest += piece;
    isLines ??= looksLikeLines(rest);
    if (isLines !== true) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      line += 1;
      if (text.trim() !== '') yield read(parse(text, `line ${line}`), `line ${line}`);
    }
  }
  if (isLines === true) {
    if (rest.trim() !== '') yield read(parse(rest, `line ${line + 1}`), `line ${line + 1}`);
    return;
  }
  const users = listOf(parse(rest));
  for (const [index, user] of users.entries()) yield read(user, `entry ${index + 1}`);
}

/** Whether a text is NDJSON: its first line is a whole record. Undefined until that line is complete. */
const looksLikeLines = (start: string): boolean | undefined => {
  const text = start.replace(/^\uFEFF/, '').trimStart();
  if (text === '') return undefined;
  if (!text.startsWith('{')) return false;
  const end = text.indexOf('\n');
  if (end < 0) return undefined;
  try {
    const first: unknown = JSON.parse(text.slice(0, end));
    return isRecord(first) && lists(first).length === 0;
  } catch {
    return false;
  }
};

const parse = (text: string, origin?: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    const where = origin === undefined ? 'The source' : `${startOf(origin)} of the source`;
    throw sourceError('json_broken', `${where} is not complete or not valid JSON. Nothing was planned.`);
  }
};

const listNames = ['users', 'Resources', 'items', 'value', 'data'];

const lists = (record: JsonRecord): readonly (readonly unknown[])[] =>
  listNames.map((name) => member(record, name)).filter((value) => Array.isArray(value));

const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  if (isRecord(value)) {
    const list = lists(value)[0];
    if (list !== undefined) return checkComplete(value, list);
    if (isScimUser(value) || Object.keys(value).some((name) => plainName(name) === 'email')) return [value];
  }
  throw sourceError(
    'json_shape',
    'The JSON has no list of users. Use an array, one record per line, {"users": [...]} or a SCIM ListResponse.',
  );
};

/** Rejects a list that says itself that there is more of it. */
const checkComplete = (response: JsonRecord, list: readonly unknown[]): readonly unknown[] => {
  const mark = incompleteMark(response, list);
  if (mark === undefined) return list;
  throw sourceError(
    'json_incomplete',
    `The JSON has ${list.length} users, and its field ${nameList([mark])} says that this is not the whole list: it is one of several pages. Join the pages first.`,
  );
};

interface RecordPlace extends JsonOptions {
  readonly origin: string;
}

const readUser = (value: unknown, place: RecordPlace): DesiredUser => {
  const { origin } = place;
  if (!isRecord(value))
    throw sourceError('json_shape', `${startOf(origin)} of the JSON is not a user record.`);
  const isScim = isScimUser(value);
  const record = knownFields(isScim ? withoutExtensions(value) : value, {
    ...place,
    names: isScim ? scimFields : csvFields,
  });
  if (isScim) return userFromScim(record, place);
  const text = (name: string) => textField(record, name, origin) || undefined;
  return {
    email: text('email') ?? '',
    type: text('type'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    roles: asGiven(member(record, 'roles')),
    organizationUnits: asGiven(member(record, 'organizationUnits')),
    active: readActive(member(record, 'active')),
    origin,
  };
};
