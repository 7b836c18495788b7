import { PortalError } from '../errors/portalError.ts';

/** The names of a group of options; the type asks for every one, so that none is forgotten. */
export type OptionNames<TOptions> = Readonly<Record<keyof TOptions, true>>;

/** The error of an option that cannot be used; `bad_option_<option>` is its code. */
export const optionError = (option: string, problem: string): PortalError =>
  new PortalError(`The option ${option} cannot be used: ${problem}.`, {
    kind: 'config',
    code: `bad_option_${option}`,
  });

/**
 * Refuses what is no object, and a name that means nothing: a misspelt `readOnly` or `dryRun` would be passed over in
 * silence, and what it should have prevented would happen.
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

/** A number between its bounds. Throws for anything else. */
export const numberOption = (option: string, value: number, bounds: NumberBounds): number => {
  const { min, max = Number.MAX_SAFE_INTEGER, fractions = false } = bounds;
  const isRight = fractions ? Number.isFinite(value) : Number.isSafeInteger(value);
  if (!isRight || value < min || value > max)
    throw optionError(
      option,
      `it is ${String(value)}. Give a ${fractions ? '' : 'whole '}number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`,
    );
  return value;
};

/** One of a few values. Throws for anything else. */
export const choiceOption = <const TChoice>(
  option: string,
  value: unknown,
  choices: readonly TChoice[],
): TChoice => {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  const known = choices.map((choice) => JSON.stringify(choice)).join(' or ');
  throw optionError(option, `it is ${JSON.stringify(value)?.slice(0, 40)}. Give ${known}`);
};
