import { quoteText } from '../quoteText.ts';
import type { Failure } from './advice.ts';

/** What one option may hold. */
export interface OptionRule {
  readonly kind: 'function' | 'boolean' | 'text' | 'whole' | 'number' | 'choice' | 'group';
  readonly isRequired?: true;
  /** Smallest number. */
  readonly min?: number;
  /** Largest number. */
  readonly max?: number;
  /** Values of a `choice`. */
  readonly values?: readonly unknown[];
  /** A value of another kind that is also allowed, such as false. */
  readonly or?: boolean | number | string | null;
  /** The options in a `group`. */
  readonly options?: OptionRules;
  /** What to pass, for the message. Default: made from the rest. */
  readonly expected?: string;
}

/** The options of one function by name. `true`: the function checks the value itself. */
export type OptionRules<TName extends PropertyKey = string> = Readonly<Record<TName, OptionRule | true>>;

/**
 * Checks options against their rules: an unknown name, which would be ignored silently, a missing option and an invalid
 * value. Returns the first failure, for the caller's own error. `subject` begins the sentence about an unknown name.
 *
 * @example
 * ```ts
 * import { checkOptions } from '@vitrine/contract/service';
 *
 * checkOptions('start()', { prot: 80 }, { port: { kind: 'whole', min: 0, max: 65_535 } });
 * // { code: 'unknown_option', part: 'start()', found: '"prot"', expected: '"port"' }
 * ```
 */
export const checkOptions = (
  subject: string,
  given: unknown,
  rules: OptionRules,
  path = '',
): Failure | undefined => {
  const names = Object.keys(rules);
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { code: 'missing_options', part: subject, found: kindOf(given), expected: names.join(', ') };
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const near = nearestName(unknown, names);
    const expected = near === undefined ? `one of ${names.join(', ')}` : `"${near}"`;
    return { code: 'unknown_option', part: subject, found: quoteText(unknown.slice(0, 40)), expected };
  }
  for (const [name, rule] of Object.entries(rules)) {
    const failure = rule === true ? undefined : checkOption(path + name, Reflect.get(given, name), rule);
    if (failure !== undefined) return failure;
  }
  return undefined;
};

const checkOption = (setting: string, value: unknown, rule: OptionRule): Failure | undefined => {
  if (value === undefined && rule.isRequired !== true) return undefined;
  if (rule.or !== undefined && value === rule.or) return undefined;
  if (rule.kind === 'group' && typeof value === 'object' && value !== null)
    return checkOptions(`Option "${setting}"`, value, rule.options ?? {}, `${setting}.`);
  if (isAllowed(value, rule)) return undefined;
  return {
    code: 'invalid_option',
    setting,
    // A text is shown only where a secret has no place.
    found: typeof value === 'string' && rule.kind !== 'choice' ? kindOf(value) : valueText(value),
    expected: rule.expected ?? expectedBy(rule),
  };
};

const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** Of each kind, what to pass and which values are right. A group is checked option by option. */
const kinds: Readonly<
  Record<
    OptionRule['kind'],
    readonly [(rule: OptionRule) => string, (value: unknown, rule: OptionRule) => boolean]
  >
> = {
  function: [() => 'a function', (value) => typeof value === 'function'],
  boolean: [() => 'true or false', (value) => typeof value === 'boolean'],
  text: [() => 'a text', (value) => typeof value === 'string' && value !== ''],
  whole: [() => 'a whole number', Number.isSafeInteger],
  number: [() => 'a number', isNumber],
  choice: [
    ({ values = [] }) => values.map((value) => JSON.stringify(value)).join(' or '),
    (value, { values = [] }) => values.includes(value),
  ],
  group: [({ options = {} }) => `an object with ${Object.keys(options).join(', ')}`, () => false],
};

const isAllowed = (value: unknown, rule: OptionRule): boolean => {
  const { kind, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = rule;
  return kinds[kind][1](value, rule) && (!isNumber(value) || (value >= min && value <= max));
};

const expectedBy = (rule: OptionRule): string => {
  const { kind, min, max, or } = rule;
  const range = `${min === undefined ? '' : ` from ${min}`}${max === undefined ? '' : ` to ${max}`}`;
  return `${kinds[kind][0](rule)}${range}${or === undefined ? '' : `, or ${String(or)}`}`;
};

/**
 * A value for a message that may show it. Without `://`, a text longer than 24 characters may be a misplaced secret, so
 * only its kind is shown.
 */
export const valueText = (value: unknown): string => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && /:\/\/|^.{1,24}$/s.test(value) ? quoteText(value) : kindOf(value);
};

/**
 * What was seen of a setting that is no secret: a web address without credentials, query and fragment, or a number. Any
 * other text may be a secret in the wrong place.
 */
export const addressText = (value: unknown): string => {
  if (typeof value !== 'string' || /^[\d\s.,+-]*$/.test(value)) return valueText(value);
  const url = /^\s*(?:https?|ftp):\/\//i.test(value) ? URL.parse(value) : null;
  return url === null
    ? `a text of ${value.length} characters`
    : quoteText(`${url.protocol}//${url.host}${url.pathname}`.replace(/(?<!\/)\/+$/, ''));
};

/** Describes a value by its kind, for messages that must not show it. */
export const kindOf = (value: unknown): string => {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/** Whether at most `edits` letters are added, missing, different, or swapped with the next one. */
const isNear = (text: string, name: string, edits: number): boolean => {
  if (text === name) return true;
  if (text !== '' && text[0] === name[0]) return isNear(text.slice(1), name.slice(1), edits);
  const [right, first, second, rest] = [name.slice(0, 1), text.slice(0, 1), text.slice(1, 2), text.slice(1)];
  const corrections = [rest, right + text, right + rest, second + first + text.slice(2)];
  return edits > 0 && corrections.some((one) => isNear(one, name, edits - 1));
};

/** The name that was probably meant: one with a different letter in three, and at most three. */
export const nearestName = (text: string, names: readonly string[]): string | undefined =>
  [0, 1, 2, 3].flatMap((edits) =>
    names.filter(
      (name) =>
        edits * 3 <= Math.max(name.length, 3) && isNear(text.toLowerCase(), name.toLowerCase(), edits),
    ),
  )[0];
