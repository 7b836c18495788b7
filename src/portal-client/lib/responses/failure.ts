import { createSecretMask } from '../createSecretMask.ts';
import { type CallWords, callError } from '../errors/callError.ts';
import type { BodyKind, CallStats } from '../errors/callStats.ts';
import type { PortalError, PortalErrorKind, RefusedPart, ValidationError } from '../errors/portalError.ts';
import { asFilledText, firstMember, isRecord, type JsonRecord, member } from './jsonValues.ts';
import { refusedPart } from './refusedPart.ts';
import { shapeOf } from './shapeOf.ts';

/** The content of an error body. */
interface ErrorReading {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly validationErrors: readonly ValidationError[];
  readonly requestId: string | undefined;
  /** An envelope with `success: false`: the service decided, so a retry never helps. */
  readonly isRefusal: boolean;
  readonly isUnauthorized: boolean;
}

/** Reads `{error: {…}}`, also in an envelope, `{error}`, `{message}` and a problem document. */
const readError = (body: unknown): ErrorReading => {
  const outer = isRecord(body) ? body : {};
  const error = member(outer, 'error');
  const inner = isRecord(error) ? error : outer;
  return {
    code: asFilledText(member(inner, 'code')),
    message: firstMember(inner, ['message', 'detail', 'title'], asFilledText) ?? asFilledText(error),
    validationErrors: readValidationErrors(inner),
    requestId: firstMember(inner, ['requestId', 'traceId'], asFilledText),
    isRefusal: member(outer, 'success') === false,
    isUnauthorized: member(outer, 'unAuthorizedRequest') === true,
  };
};

/** `validationErrors: [{field, message}]`, with `members` in an envelope; `errors: {field: [message]}` in a problem document. */
const readValidationErrors = (error: JsonRecord): readonly ValidationError[] => {
  const list = member(error, 'validationErrors');
  const byField = member(error, 'errors');
  const entries = Array.isArray(list)
    ? list
        .filter(isRecord)
        .map((entry) => [member(entry, 'members') ?? member(entry, 'field'), member(entry, 'message')])
    : Object.entries(isRecord(byField) ? byField : {});
  return entries.slice(0, 100).flatMap(([fields, messages]) =>
    [fields].flat().flatMap((field) =>
      [messages]
        .flat()
        .slice(0, 20)
        .map((message) => ({
          field: asFilledText(field) ?? '',
          message: asFilledText(message) ?? 'is not valid',
        })),
    ),
  );
};

const byStatus: Readonly<Record<string, PortalErrorKind>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  410: 'not_found',
  412: 'conflict',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  429: 'rate_limited',
};

/**
 * Kind of error of a failed request. An envelope takes precedence over the status: `success: false` is the portal's own
 * permanent decision, with status 200 or 500; a 5xx without it may be transient.
 */
const errorKind = (status: number, reading: ErrorReading): PortalErrorKind => {
  if (reading.isRefusal) {
    const code =
      reading.code !== undefined && Object.hasOwn(byStatus, reading.code) ? reading.code : String(status);
    if (reading.isUnauthorized && code !== '403') return 'unauthorized';
    return byStatus[code] ?? 'business';
  }
  const kind = byStatus[status];
  if (kind !== undefined) return kind;
  if (status >= 500) return 'server';
  return status >= 400 ? 'invalid' : 'invalid_response';
};

/** Code of a redirect to a sign-in page of the portal itself. */
export const signInCode = 'sign_in_page';

const signInPath = /log-?in|log-?on|sign-?in|\b(account|auth|sso|oauth2?)\b/i;

/** Whether a redirect leads to a sign-in page at the same origin. */
export const isSignInRedirect = (location: string | undefined, origin: string): boolean => {
  const url = location === undefined ? null : URL.parse(location, origin);
  return url !== null && url.origin === origin && signInPath.test(url.pathname);
};

/** Names of body kinds in messages. */
export const bodyNames: Readonly<Record<BodyKind, string>> = {
  envelope: 'an envelope',
  json: 'a body that is not an envelope',
  html: 'an HTML page',
  text: 'a body that is not JSON',
  empty: 'an empty body',
};

/** Redirect statuses, which exclude 304. */
export const redirects: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);

/** A failed response and its facts. */
export interface RefusedResponse {
  readonly status: number;
  /** The JSON of the body; undefined if there is none. */
  readonly body: unknown;
  readonly stats: CallStats;
  readonly words: CallWords;
  /** Whether every response of the portal is an envelope. */
  readonly isEnveloped: boolean;
  /** Whether it is a redirect to a sign-in page, see `isSignInRedirect`. */
  readonly isSignIn?: boolean;
  /** Masks secrets in third-party text. */
  readonly redact: (text: string) => string;
}

/** Also masks the key that some portals include in a refusal. */
const withKeyMasked = (redact: RefusedResponse['redact'], body: unknown): RefusedResponse['redact'] => {
  const result = isRecord(body) ? member(body, 'result') : undefined;
  const key = isRecord(result) ? member(result, 'key') : undefined;
  if (typeof key !== 'string' || key === '') return redact;
  const mask = createSecretMask([key]);
  return (text) => redact(mask(text));
};

/** The meaning of a 404. Only the portal itself knows which items exist; one that names nothing is a wrong address. */
const absence = (part: RefusedPart | undefined, isRefusal: boolean): PortalErrorKind => {
  if (!isRefusal || part === undefined) return 'invalid_response';
  return part === 'report' ? 'not_found' : 'business';
};

/** Creates the error of a failed response. */
export const refusal = ({ status, body, stats, words, ...rest }: RefusedResponse): PortalError => {
  const redact = withKeyMasked(rest.redact, body);
  const reading = readError(body);
  const message = redact(reading.message ?? '');
  // Understood before it is masked: a secret may be a word of the portal's sentence.
  const seen = { message: reading.message ?? '', validationErrors: reading.validationErrors, redact };
  const validationErrors = reading.validationErrors.map((one) => ({
    field: redact(one.field),
    message: redact(one.message),
  }));
  const kind = errorKind(status, reading);
  const part = refusedPart({ kind, ...seen });
  const details = {
    kind: rest.isEnveloped && kind === 'not_found' ? absence(part, reading.isRefusal) : kind,
    part,
    code: redact(reading.code ?? String(status)),
    validationErrors,
    requestId: stats.requestId ?? (reading.requestId && redact(reading.requestId)),
    stats,
  } as const;
  if (redirects.has(status))
    return callError(
      words,
      `The portal responded with a redirect (status ${status}).`,
      rest.isSignIn ? { ...details, code: signInCode } : details,
    );
  if (reading.message === undefined && !reading.isRefusal) {
    const isUnknown = stats.body === 'json' && !rest.isEnveloped;
    const seenBody = isUnknown
      ? `a body of an unknown shape: ${shapeOf(body)}`
      : bodyNames[stats.body ?? 'text'];
    return callError(words, `The portal responded with status ${status} and ${seenBody}.`, details);
  }
  const said = reading.message === undefined ? '' : `: "${message.replace(/\.$/, '')}"`;
  return callError(words, `The portal refused ${words.purpose} (status ${status})${said}.`, details, seen);
};
