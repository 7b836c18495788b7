import { type Failure, checkOptions as findFailure, type OptionRules } from '@vitrine/contract/service';
import { PortalError } from './portalError.ts';

/** The names of a group of options; the type requires all of them. */
export type OptionNames<TOptions> = OptionRules<keyof TOptions>;

/** Creates an error of kind `config`; nothing was sent. The message must never contain a secret. */
export const configError = (code: string, message: string): PortalError =>
  new PortalError(message, { kind: 'config', code });

/** Creates the error of a setting from a row of the table of advice; `code` is the error's own, by default the row's. */
export const settingError = (failure: Failure, code: string = failure.code): PortalError =>
  new PortalError('', { kind: 'config', code, failure }, { showsCheck: true });

/** Creates the error of an invalid option, with the code `bad_option_<option>`. */
export const optionError = (option: string, problem: string): PortalError =>
  settingError({ code: 'bad_option', setting: option, found: problem }, `bad_option_${option}`);

/** Checks options against their rules, see `checkOptions` of `@vitrine/contract/service`. Throws for the first failure. */
export const checkOptions = (subject: string, given: unknown, rules: OptionRules): void => {
  const failure = findFailure(subject, given, rules);
  if (failure !== undefined)
    throw settingError(
      failure,
      failure.setting === undefined ? failure.code : `bad_option_${failure.setting}`,
    );
};

/** Longest delay of a timer, in milliseconds; a longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

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
