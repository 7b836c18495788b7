/**
 * When a repetition of a failed key request can help:
 * `never` without a change by a developer or administrator, `user` after the viewer did something (signed in),
 * `later` by itself after a pause.
 */
export type MayRetry = 'never' | 'user' | 'later';

/** One row of {@link problemCodes}. */
export interface ProblemCodeEntry {
  readonly status: number;
  readonly mayRetry: MayRetry;
  readonly title: string;
}

/** The only table from code to HTTP status and retry advice of the key endpoint. */
export const problemCodes = {
  invalid_request: { status: 400, mayRetry: 'never', title: 'The request is not well formed.' },
  invalid_item_id: { status: 400, mayRetry: 'never', title: 'The item ID is not a positive whole number.' },
  signed_out: { status: 401, mayRetry: 'user', title: 'Nobody is signed in.' },
  cross_site_request: { status: 403, mayRetry: 'never', title: 'The request came from another site.' },
  report_unavailable: {
    status: 404,
    mayRetry: 'user',
    title: 'The report does not exist or is not open to this viewer.',
  },
  route_not_found: { status: 404, mayRetry: 'never', title: 'There is no such route.' },
  method_not_allowed: { status: 405, mayRetry: 'never', title: 'The method is not allowed here.' },
  request_too_large: { status: 413, mayRetry: 'never', title: 'The request body is too large.' },
  unsupported_media_type: { status: 415, mayRetry: 'never', title: 'The request body must be JSON.' },
  rate_limited: { status: 429, mayRetry: 'later', title: 'Too many requests.' },
  internal_error: { status: 500, mayRetry: 'later', title: 'The backend failed.' },
  portal_refused: {
    status: 502,
    mayRetry: 'never',
    title: 'The portal refused to give a key.',
  },
  portal_unreachable: { status: 502, mayRetry: 'later', title: 'The portal cannot be reached.' },
  portal_invalid_response: {
    status: 502,
    mayRetry: 'later',
    title: 'The portal gave an answer that cannot be understood.',
  },
  overloaded: { status: 503, mayRetry: 'later', title: 'The backend is busy.' },
  portal_unavailable: { status: 503, mayRetry: 'later', title: 'The portal is not available at present.' },
  portal_timeout: { status: 504, mayRetry: 'later', title: 'The portal did not answer in time.' },
} as const satisfies Record<string, ProblemCodeEntry>;

/** Stable code of a failure between browser and backend. */
export type ProblemCode = keyof typeof problemCodes;

/** Whether a text is one of the codes this version knows. */
export const isProblemCode = (value: unknown): value is ProblemCode =>
  typeof value === 'string' && Object.hasOwn(problemCodes, value);
