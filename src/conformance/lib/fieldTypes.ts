import { must } from './difference.ts';
import { type Fields, isFields } from './readers.ts';

/** Whether a value is of a type. */
export type FieldTest = (value: unknown) => boolean;

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isBoolean: FieldTest = (value) => typeof value === 'boolean';
export const isInteger: FieldTest = (value) => Number.isSafeInteger(value);
export const isTextList: FieldTest = (value) => Array.isArray(value) && value.every(isText);
export const isGuid: FieldTest = (value) => typeof value === 'string' && guid.test(value);
export const isInstant: FieldTest = (value) =>
  typeof value === 'string' && instant.test(value) && !Number.isNaN(Date.parse(value));

/** Tests of the types that the tables of the interface name, the most specific first. */
const tests: readonly (readonly [type: RegExp, test: FieldTest])[] = [
  [/UTC timestamp/, (value) => isInstant(value) && String(value).endsWith('Z')],
  [/GUID/, isGuid],
  [/array of string/, isTextList],
  [/array of object/, (value) => Array.isArray(value) && value.every(isFields)],
  [/integer/, isInteger],
  [/string/, isText],
];

/** A row of a table, `| type | string, enum | Allowed: System, Report |`, as a field and the test that it states. */
const readRow = (row: string): readonly [name: string, test: FieldTest] => {
  const [, name = '', type = '', meaning = ''] = row.split('|').map((cell) => cell.trim());
  const [, allowed] = /Allowed: (.*)/.exec(meaning) ?? [];
  if (allowed !== undefined) return [name, (value) => allowed.split(', ').some((one) => one === value)];
  return [name, tests.find(([pattern]) => pattern.test(type))?.[1] ?? (() => true)];
};

/** Throws unless every field is present and has its type. */
export const mustHaveAll = (resource: Fields, fields: Readonly<Record<string, FieldTest>>): void => {
  for (const [name, test] of Object.entries(fields))
    must(name in resource && test(resource[name]), `a ${name} of its type`, resource[name] ?? resource);
};

/** Throws unless every field of the rows of a table is present and has its type. */
export const mustHaveRows = (resource: Fields, rows: readonly string[]): void =>
  mustHaveAll(resource, Object.fromEntries(rows.map(readRow)));

/** The same for fields that are there and not null: the interface does not show which fields are returned. */
export const mustMatchRows = (resource: Fields, rows: readonly string[]): void =>
  mustHaveAll(
    resource,
    Object.fromEntries(rows.map(readRow).filter(([name]) => (resource[name] ?? undefined) !== undefined)),
  );
