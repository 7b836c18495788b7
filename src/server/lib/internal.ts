/** Internals for `@vitrine/actions`, `@vitrine/express` and the command line. Not public API: they may change in any release. */

import '@vitrine/contract/require-node';

export { createLogThrottle } from './log/createLogThrottle.ts';
export { ignoreErrors, startOrWarn } from './log/ignoreErrors.ts';
export { defaultLogger } from './log/logger.ts';
export { warningFields } from './log/warnAboutSetup.ts';
export type { NumberRange, OptionNames } from './options/checkOptions.ts';
export {
  checkChoice,
  checkDiagnosticOptions,
  checkOpenTelemetry,
  checkOptions,
  fail,
  isObject,
  isWholeBetween,
  kindOf,
  longestTimerMs,
} from './options/checkOptions.ts';
export { portalFromEnv } from './options/portalFromEnv.ts';
export { VitrineOptionsError } from './options/vitrineOptionsError.ts';
