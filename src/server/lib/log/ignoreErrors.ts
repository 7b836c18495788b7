import { isThenable } from '../access/isThenable.ts';
import type { Logger } from './logger.ts';
import { warningFields } from './warnAboutSetup.ts';

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

const nothing = (): void => undefined;

/** Calls a host callback whose result does not matter. Ignores its errors. */
export const ignoreErrors =
  <TArgument>(listen: (argument: TArgument) => unknown): ((argument: TArgument) => void) =>
  (argument) => {
    try {
      const result = listen(argument);
      if (isThenable(result)) result.then(nothing, nothing);
    } catch {
      // A failing listener must not stop a request.
    }
  };
