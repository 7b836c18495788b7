import { explain, checkOptions as findFailure, type OptionRules } from '@vitrine/contract/service';
import { fail, type VitrineOptionsErrorCode } from '../options.ts';

/** Throws the first failure of options; `subject` is the function that has them. */
export const checkOptions = (subject: string, given: unknown, rules: OptionRules): void => {
  const failure = findFailure(subject, given, rules);
  if (failure === undefined) return;
  const { what } = explain(failure, 'option');
  const code = failure.setting === undefined ? failure.code : 'invalid_action_option';
  // The other codes of a failure are codes of ours.
  fail(code as VitrineOptionsErrorCode, what);
};
