import { isThenable } from '../access/isThenable.ts';
import type { Logger } from './logger.ts';
import { warningFields } from './warnAboutSetup.ts';

/** Starts what nothing depends on, such as telemetry; without it, and with a warning, when it throws. */
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

/** Calls a callback of the host that only listens. What it throws or rejects with is its own business. */
export const safely =
  <TArgument>(listen: (argument: TArgument) => unknown): ((argument: TArgument) => void) =>
  (argument) => {
    try {
      const answer = listen(argument);
      if (isThenable(answer)) answer.then(nothing, nothing);
    } catch {
      // Whoever listens must not be able to stop what they listen to.
    }
  };
