/** What `@vitrine/actions` still needs of the former server. Not public API; it goes with the last of its imports. */

import '@vitrine/contract/require-node';
import { kindOf } from '@vitrine/contract/service';
import { type Logger, quietly, warningFields } from './log.ts';
import { fail } from './options.ts';
import type { OpenTelemetryApi } from './telemetry.ts';

export { kindOf } from '@vitrine/contract/service';
export { defaultLogger, warningFields } from './log.ts';
export { fail, VitrineOptionsError } from './options.ts';
export { portalFromEnv } from './portalFromEnv.ts';

/** Starts an optional feature, such as telemetry. If it throws, logs a warning and continues without it. */
export const startOrWarn = <TResult>(start: () => TResult, logger: Logger): TResult | undefined => {
  try {
    return start();
  } catch (error) {
    logger.warn(
      warningFields('telemetry_failed'),
      `The option openTelemetry cannot be used, so nothing is measured: ${String(error)}`,
    );
    return undefined;
  }
};

/** Calls a host callback whose result does not matter. Ignores its errors. */
export const ignoreErrors =
  <TArgument>(listen: (argument: TArgument) => unknown): ((argument: TArgument) => void) =>
  (argument) =>
    quietly(() => listen(argument));

/** Whether a value is a whole number from `low` to `high`. */
export const isWholeBetween = (value: unknown, low: number, high: number): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= low && value <= high;

/** Whether a value is an object. Plain JavaScript may pass anything. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A value, for a message about an option that never holds a secret. */
export const shown = (value: unknown): string => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : kindOf(value);
};

/** The lowest and highest value of a number, and `false` if that is also allowed. */
export type NumberRange = readonly [low: number, high: number, instead?: false];

/** The names of a group of options, with the ranges of numbers; the type requires every name. */
export type OptionNames<TOptions> = Readonly<Record<keyof TOptions, true | NumberRange>>;

/** The first unknown name in a group of options, short enough for a message. */
const unknownName = (given: object, names: readonly string[]): string | undefined =>
  Object.keys(given)
    .find((name) => !names.includes(name))
    ?.slice(0, 40);

/**
 * Rejects a value that is not an object, an unknown name, which would otherwise be ignored silently, and a number out
 * of its range.
 */
export const checkOptions = (
  subject: string,
  given: unknown,
  options: Readonly<Record<string, true | NumberRange>>,
): void => {
  const names = Object.keys(options);
  if (!isObject(given))
    return fail('missing_options', `${subject} needs an object with the options ${names.join(', ')}.`);
  const unknown = unknownName(given, names);
  if (unknown !== undefined)
    fail('unknown_option', `${subject} has no option "${unknown}". Its options are ${names.join(', ')}.`);
  checkNumbers(subject, given, options);
};

/** Longest delay of a timer, in milliseconds; a longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** Rejects a number in the actions' options that is not whole or out of range. Omitted is fine. */
const checkNumbers = (
  subject: string,
  given: object,
  ranges: Readonly<Record<string, true | NumberRange>>,
): void => {
  for (const [name, range] of Object.entries(ranges)) {
    if (range === true) continue;
    const [low, high, instead] = range;
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined && value !== instead && !isWholeBetween(value, low, high))
      fail(
        'invalid_action_option',
        `Option "${name}" of ${subject} must be a whole number between ${low} and ${high}; it is ${shown(value)}.`,
      );
  }
};

/** Rejects an invalid `logger` or `onDiagnostic`: diagnostics would be lost silently. */
export const checkDiagnosticOptions = (
  subject: string,
  { logger, onDiagnostic }: { readonly logger?: unknown; readonly onDiagnostic?: unknown },
): void => {
  const hasMethod = (method: string): boolean =>
    isObject(logger) && typeof Reflect.get(logger, method) === 'function';
  if (logger !== undefined && !['warn', 'error'].every(hasMethod))
    fail(
      'invalid_logger',
      `Option "logger" of ${subject} is ${kindOf(logger)} without the method "warn" or "error". Pass console or pino().`,
    );
  if (onDiagnostic !== undefined && typeof onDiagnostic !== 'function')
    fail(
      'invalid_action_option',
      `Option "onDiagnostic" of ${subject} must be a function; it is ${kindOf(onDiagnostic)}.`,
    );
};

/** Rejects a value that is not the module `@opentelemetry/api`. Omitted is fine. */
export const checkOpenTelemetry = (given: OpenTelemetryApi | undefined): void => {
  if (given === undefined) return;
  if (typeof given?.trace?.getTracer !== 'function' || typeof given.metrics?.getMeter !== 'function')
    fail(
      'invalid_open_telemetry',
      `Option "openTelemetry" is ${kindOf(given)} without trace.getTracer or metrics.getMeter. Pass the module: import * as openTelemetry from "@opentelemetry/api".`,
    );
};

/** Rejects an option that is not one of a few words. Omitted is fine. */
export const checkChoice = (name: string, value: unknown, choices: readonly string[]): void => {
  if (value !== undefined && !choices.some((choice) => choice === value))
    fail(
      'invalid_action_option',
      `Option "${name}" must be ${choices.map((choice) => `"${choice}"`).join(' or ')}; it is ${shown(value)}.`,
    );
};
