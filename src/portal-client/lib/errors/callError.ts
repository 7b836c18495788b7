import { type CallFailure, PortalError, type PortalErrorDetails } from './portalError.ts';

/** How the failures of a call are worded. */
export interface CallWords {
  /** Begins every message, such as `GET /v1/users`; messages with it end in the hint. */
  readonly label?: string | undefined;
  /** What the request is for, as in "The portal refused to create a key". */
  readonly purpose: string;
  /** What to look at or to change. */
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
