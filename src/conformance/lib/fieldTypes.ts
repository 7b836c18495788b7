import { describe, must } from './difference.ts';
import { type Fields, isFields } from './readers.ts';

/** Whether a value is of a type. */
export type FieldTest = (value: unknown) => boolean;

/** What a value looks like: a test, a list with elements of one shape, or an object with at least these members. */
export type Shape = FieldTest | [Shape] | { readonly [name: string]: Shape };

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isBoolean: FieldTest = (value) => typeof value === 'boolean';
export const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
export const isTextList: FieldTest = (value) => Array.isArray(value) && value.every(isText);
export const isGuid: FieldTest = (value) => typeof value === 'string' && guid.test(value);
export const isInstant = (value: unknown): value is string =>
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

/** The cells of a table row. */
export const cellsOf = (row: string): readonly string[] => row.split(/\s*\|\s*/).slice(1, -1);

/** The test that a row states: `| type | string, enum | Allowed: System, Report |`. */
const testOf = (type: string, meaning: string): FieldTest => {
  const [, allowed] = /Allowed: (.*)/.exec(meaning) ?? [];
  if (allowed !== undefined) return (value) => allowed.split(', ').some((one) => one === value);
  return tests.find(([pattern]) => pattern.test(type))?.[1] ?? (() => true);
};

/**
 * Throws unless the fields of a table have the types of its rows in everything found, and then names each field that differs. A
 * field may be absent or null unless it is always present: the interface does not show which fields are returned.
 */
export const mustMatchRows = (found: readonly Fields[], rows: readonly string[], always = false): void => {
  const differences = rows.flatMap((row) => {
    const [name = '', type = '', meaning = ''] = cellsOf(row);
    const test = testOf(type, meaning);
    const isOther = ({ [name]: value = null }: Fields) => !(value === null ? !always : test(value));
    const other = found.find(isOther);
    return other === undefined
      ? []
      : [{ expected: `${name}: ${type}. ${meaning}`, seen: other[name] ?? other }];
  });
  const seen = differences.map((one) => describe(one.seen)).join('; ');
  must(differences.length === 0, differences.map(({ expected }) => expected).join('; '), seen);
};

/** Throws unless a value has a shape; `name` says which value of the answer it is. */
export const mustMatch = (value: unknown, shape: Shape, name = 'the answer'): void => {
  if (typeof shape === 'function') must(shape(value), `${name} of its type`, value);
  else if (Array.isArray(shape)) {
    must(Array.isArray(value), `a list ${name}`, value);
    for (const element of value as unknown[]) mustMatch(element, shape[0], `an element of ${name}`);
  } else {
    must(isFields(value), `an object ${name}`, value);
    for (const [member, part] of Object.entries(shape)) {
      must(member in value, `${name} with ${member}`, value);
      mustMatch(value[member], part, member);
    }
  }
};
