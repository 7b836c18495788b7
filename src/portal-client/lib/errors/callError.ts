import type { Failure } from '@vitrine/contract/service';
import { type CallFailure, PortalError, type PortalErrorDetails } from './portalError.ts';

/** Words for the error messages of a call. */
export interface CallWords {
  /** Prefix of every message, such as `GET /v1/users`; messages with it say what to check. */
  readonly label?: string | undefined;
  /** What the request is for, as in "The portal refused to create a key". */
  readonly purpose: string;
  /** What to check or to change. */
  readonly adviceOf: (failure: CallFailure) => Failure | undefined;
}

/** The portal's own words: understood unmasked, because a secret may be one of them, and kept masked. */
export interface PortalWords extends Pick<CallFailure, 'message' | 'validationErrors'> {
  readonly redact: (text: string) => string;
}

/** The error of a call. */
export const callError = (
  { label, adviceOf }: CallWords,
  sentence: string,
  details: PortalErrorDetails,
  { redact, ...seen }: PortalWords = { message: '', redact: String },
): PortalError => {
  const advice = adviceOf({ ...details, ...seen });
  const failure = advice?.part === undefined ? advice : { ...advice, part: redact(advice.part) };
  return new PortalError(
    label === undefined ? sentence : `${label}: ${sentence}`,
    { ...details, failure },
    { showsCheck: label !== undefined },
  );
};
