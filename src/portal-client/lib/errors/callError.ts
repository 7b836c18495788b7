import { type CallFailure, PortalError, type PortalErrorDetails } from './portalError.ts';

/** Words for the error messages of a call. */
export interface CallWords {
  /** Prefix of every message, such as `GET /v1/users`; messages with it end with the hint. */
  readonly label?: string | undefined;
  /** What the request is for, as in "The portal refused to create a key". */
  readonly purpose: string;
  /** What to check or to change. */
  readonly hintOf: (failure: CallFailure) => string | undefined;
}

/** The error of a call: what happened, and what to do. */
export const callError = (
  { label, hintOf }: CallWords,
  sentence: string,
  details: PortalErrorDetails,
): PortalError => {
  const hint = hintOf({ ...details, message: sentence });
  const message = label === undefined ? sentence : [`${label}: ${sentence}`, hint].join(' ').trimEnd();
  return new PortalError(message, { ...details, hint });
};
