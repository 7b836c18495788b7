import { VitrineOptionsError, type VitrineOptionsErrorCode } from './optionsError.ts';

/** Refuses an option. */
export const fail = (code: VitrineOptionsErrorCode, message: string): never => {
  throw new VitrineOptionsError(code, message);
};

/** Whether a value is a whole number between two, both included. */
export const isWholeBetween = (value: unknown, low: number, high: number): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= low && value <= high;

/** Whether a value is an object. A host in plain JavaScript may hand in anything. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The names of a group of options; the type asks for every one, so that none is forgotten. */
export type OptionNames<TOptions> = Readonly<Record<keyof TOptions, true>>;

/** Refuses what is no object, and a name that means nothing: a misspelt option would do nothing, and say nothing. */
export const checkOptions = (
  subject: string,
  given: unknown,
  options: Readonly<Record<string, true>>,
): void => {
  const names = Object.keys(options);
  if (!isObject(given))
    return fail('missing_options', `${subject} needs an object of options: ${names.join(', ')}.`);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined)
    fail(
      'unknown_option',
      `${subject} has no option "${unknown.slice(0, 40)}". Its options are ${names.join(', ')}.`,
    );
};

const codes = {
  upstream: 'invalid_upstream',
  rateLimit: 'invalid_rate_limit',
  cache: 'invalid_cache',
} as const;

/** Refuses a group of options that is no object, or holds a name that means nothing. */
export const checkNames = (option: keyof typeof codes, given: unknown, names: readonly string[]): void => {
  const unknown = isObject(given) ? Object.keys(given).find((name) => !names.includes(name)) : undefined;
  if (isObject(given) && unknown === undefined) return;
  fail(
    codes[option],
    unknown === undefined
      ? `Option "${option}" must be an object with ${names.join(', ')}.`
      : `Option "${option}" has no "${unknown.slice(0, 40)}"; it has ${names.join(', ')}.`,
  );
};
