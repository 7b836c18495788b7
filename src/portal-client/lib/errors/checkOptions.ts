import type { Failure } from '@vitrine/contract/service';
import { PortalError } from './portalError.ts';

/** The names of a group of options; the type requires all of them. */
export type OptionNames<TOptions> = Readonly<Record<keyof TOptions, true>>;

/** Creates an error of kind `config`; nothing was sent. The message must never contain a secret. */
export const configError = (code: string, message: string): PortalError =>
  new PortalError(message, { kind: 'config', code });

/** Creates the error of a setting from a row of the table of advice; `code` is the error's own, by default the row's. */
export const settingError = (failure: Failure, code: string = failure.code): PortalError =>
  new PortalError('', { kind: 'config', code, failure }, { showsCheck: true });

/** Creates the error of an invalid option, with the code `bad_option_<option>`. */
export const optionError = (option: string, problem: string): PortalError =>
  settingError({ code: 'bad_option', setting: option, found: problem }, `bad_option_${option}`);

/** Describes a value by its type, for messages that must not show it. */
export const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value === '') return 'an empty string';
  if (value === undefined) return 'missing';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/**
 * Rejects values that are not objects, and unknown names: a misspelled `readOnly` or `dryRun` would be ignored silently.
 */
export const checkOptions = (
  subject: string,
  given: unknown,
  options: Readonly<Record<string, true>>,
): void => {
  const names = Object.keys(options);
  if (typeof given !== 'object' || given === null)
    throw new PortalError(`${subject} needs an object with ${names.join(', ')}.`, {
      kind: 'config',
      code: 'missing_options',
    });
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new PortalError(
      `${subject} has no option "${unknown.slice(0, 40)}". Its options are ${names.join(', ')}.`,
      { kind: 'config', code: 'unknown_option' },
    );
};

/** Bounds of a number. */
export interface NumberBounds {
  readonly min: number;
  readonly max?: number;
  readonly fractions?: boolean;
}

/** Checks a number against its bounds. Throws for anything else. */
export const numberOption = (option: string, value: number, bounds: NumberBounds): number => {
  const { min, max = Number.MAX_SAFE_INTEGER, fractions = false } = bounds;
  const isRight = fractions ? Number.isFinite(value) : Number.isSafeInteger(value);
  if (!isRight || value < min || value > max)
    throw optionError(
      option,
      `it is ${String(value)}. Pass a ${fractions ? '' : 'whole '}number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`,
    );
  return value;
};

/** Checks that a value is one of the choices. Throws for anything else. */
export const choiceOption = <const TChoice>(
  option: string,
  value: unknown,
  choices: readonly TChoice[],
): TChoice => {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  const known = choices.map((choice) => JSON.stringify(choice)).join(' or ');
  throw optionError(option, `it is ${JSON.stringify(value)?.slice(0, 40)}. Pass ${known}`);
};
