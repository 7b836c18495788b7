import { configError } from '../../errors.ts';
import { asCount, asText, isRecord, type JsonRecord } from '../../json.ts';
import { pagingMarks, plainName } from '../knownExports.ts';
import { counted, nameList } from '../text.ts';

/** Names of a list of users in a response. */
export const listNames = [
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

/** The values of a record by plain name. */
export const fieldsOf = (record: JsonRecord): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(record).map(([name, value]) => [plainName(name), value]));

/** Rejects a whole response among records: nobody knows whether all of its pages are there. */
export const checkNoPage = (value: unknown, where: string): void => {
  if (isRecord(value) && listsIn(value).length > 0)
    throw configError(
      'json_incomplete',
      `${where} of the JSON is itself a list of users: it is one of several pages. Join the pages to one list first.`,
    );
};

interface List {
  readonly name: string;
  readonly rows: readonly unknown[];
}

const arraysIn = (record: JsonRecord): readonly List[] =>
  Object.entries(record).flatMap(([name, rows]) => (Array.isArray(rows) ? [{ name, rows }] : []));

/** The lists of users in a record. */
export const listsIn = (record: JsonRecord): readonly List[] =>
  arraysIn(record).filter(({ name }) => listNames.includes(plainName(name)));

/** Whether a value is a record about one person. */
const identifies = (value: unknown): boolean => {
  const fields = isRecord(value) ? fieldsOf(value) : undefined;
  return ['email', 'username', 'primaryemail', 'mail', 'userprincipalname'].some((name) => fields?.has(name));
};

/** Rejects a JSON without a list, a list that is not the whole one, and a second list of people, who would be missing. */
export const checkWhole = ({
  root,
  list,
  count,
}: {
  readonly root?: unknown;
  readonly list?: string;
  readonly count: number;
}): void => {
  if (Array.isArray(root)) return;
  const name = list ?? (isRecord(root) ? listsIn(root)[0]?.name : undefined);
  if (name === undefined && identifies(root)) return;
  if (!isRecord(root) || name === undefined)
    throw configError(
      'json_shape',
      'The JSON has no list of users. Use an array, one record per line, {"users": [...]} or a SCIM ListResponse.',
    );
  const names = arraysIn(root)
    .filter((array) => array.name === name || array.rows.some(identifies))
    .map((array) => array.name);
  if (names.length > 1)
    throw configError(
      'json_shape',
      `The JSON has several lists of users: ${nameList(names)}. Join them to one list, or leave one of them out.`,
    );
  const mark = markIn(root, count);
  if (mark !== undefined)
    throw configError(
      'json_incomplete',
      `The JSON has ${counted(count, 'user')}, and its field ${nameList([mark])} says that this is not the whole list: it is one of several pages, has only changes, or the export failed. Join the pages, or export all users.`,
    );
};

/** A field that says that there are further pages. Directories put it beside the list, or some levels deeper. */
const markIn = (response: JsonRecord, count: number, levels = 3): string | undefined => {
  for (const [name, value] of Object.entries(response)) {
    if (saysMore(plainName(name), value, count)) return name;
    const inner = isRecord(value) && levels > 0 ? markIn(value, count, levels - 1) : undefined;
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
