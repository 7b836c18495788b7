import type { AdviceCode } from '@vitrine/contract/service';
import {
  type BodyKind,
  type CallStats,
  type CallWords,
  callError,
  type PortalError,
  type PortalErrorKind,
  type ValidationError,
} from './errors.ts';
import { asFilledText, firstMember, isRecord, type JsonRecord, member } from './json.ts';
import { isEnvelope, type ParsedBody, shapeOf } from './responses.ts';
import { rememberKey } from './secrets.ts';

/** Throws the error of a response that is not a success with JSON. */
export const checkResponse = (
  body: ParsedBody,
  words: CallWords,
  stats: CallStats,
  isSignIn: boolean,
): void => {
  const { status = 0 } = stats;
  if (status < 200 || status >= 300 || isFailure(body.value))
    throw refusal(body.value, words, stats, isSignIn);
  if (body.kind === 'html' || body.kind === 'text')
    throw callError(words, `The portal responded with status ${status} and ${bodyNames[body.kind]}.`, {
      kind: 'invalid_response',
      code: 'not_json',
      stats,
    });
};

/** HTTP 200 with `success: false` is also an error, unless it is a field of a bare resource. */
const isFailure = (body: unknown): boolean =>
  isRecord(body) &&
  member(body, 'success') === false &&
  (isEnvelope(body) || isRecord(member(body, 'error')) || !Object.hasOwn(body, 'id'));

/** The content of an error body. */
type ErrorReading = ReturnType<typeof readError>;

/** Reads `{error: {…}}`, also in an envelope, `{error}`, `{message}` and a problem document. */
const readError = (body: unknown) => {
  const outer = isRecord(body) ? body : {};
  const error = member(outer, 'error');
  const inner = isRecord(error) ? error : outer;
  return {
    code: asFilledText(member(inner, 'code')),
    message: firstMember(inner, ['message', 'detail', 'title'], asFilledText) ?? asFilledText(error),
    validationErrors: readValidationErrors(inner),
    requestId: firstMember(inner, ['requestId', 'traceId'], asFilledText),
    /** An envelope with `success: false`: the service decided, so a retry never helps. */
    isRefusal: member(outer, 'success') === false,
    isUnauthorized: member(outer, 'unAuthorizedRequest') === true,
  };
};

const maxErrors = 100;

/** `validationErrors: [{field, message}]`, with `members` in an envelope; `errors: {field: [message]}` in a problem document. */
const readValidationErrors = (error: JsonRecord): readonly ValidationError[] => {
  const list = member(error, 'validationErrors');
  const byField = member(error, 'errors');
  const entries = Array.isArray(list)
    ? list
        .filter(isRecord)
        .map((entry) => [member(entry, 'members') ?? member(entry, 'field'), member(entry, 'message')])
    : Object.entries(isRecord(byField) ? byField : {});
  return entries
    .slice(0, maxErrors)
    .flatMap(([fields, messages]) =>
      [fields].flat().flatMap((field) =>
        [messages].flat().map((message) => ({
          field: asFilledText(field) ?? '',
          message: asFilledText(message) ?? 'is not valid',
        })),
      ),
    )
    .slice(0, maxErrors);
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

/** The meaning of a 404 for a key: only one about the report is final. One that names nothing is a wrong address. */
const absence = ({ isRefusal }: ErrorReading, part: AdviceCode | undefined): PortalErrorKind => {
  if (part === 'report_not_shared') return 'not_found';
  return isRefusal && part !== undefined ? 'business' : 'invalid_response';
};

/** How much of a portal's text is understood: it may send megabytes, and patterns take long over one long word. */
const maxUnderstood = 4000;

// In this order: "the user has no RLS role for the report" is about the role.
const patterns: readonly (readonly [AdviceCode, RegExp])[] = [
  ['tenant_header_lost', /tenant[ .-]?id\b|(?<!forgery )\bheader\b/i],
  ['ip_address_blocked', /\bip\b/i],
  ['permission_missing', /permission|\bAdministration\.\w/i],
  ['api_key_wrong', /api[ _-]?key/i],
  ['passphrase_wrong', /pass[ _-]?phrase/i],
  [
    'operator_only',
    /licen[cs]e|capacity|quota|\bAADSTS|tenan.*(not active|inactive|disabled|deactivated|suspended)/i,
  ],
  // "Expired" refers to something else.
  ['expiration_refused', /expir(?!ed)|lifetime/i],
  ['roles_refused', /role|\brls\b|requires effective identity/i],
  ['report_not_shared', /(?<!please )report(?!ed)|item(?![ -]?links)/i],
  ['tenancy_name_wrong', /\btenan/i],
  // "The current user" is that of the API key.
  ['user_refused', /(?<!current )user|identity(?! provider)/i],
];

/** Whether the portal's message says more than that something failed. */
export const hasReason = (message = ''): boolean =>
  message !== '' &&
  !/error occurred|internal (server )?error|unexpected|unknown error|same key has already been added/i.test(
    message,
  );

/**
 * The part that the portal's message or the fields are about; undefined if they name none. A message is evidence, not
 * proof. Its words are not masked yet: a secret may be one of them.
 */
const refusedPart = (
  kind: PortalErrorKind,
  message: string,
  fields: readonly ValidationError[],
): AdviceCode | undefined => {
  const words = [...fields.flatMap((one) => [one.field, one.message]), hasReason(message) ? message : '']
    .join(' ')
    .slice(0, maxUnderstood)
    // The address of the request, which a server repeats, names nothing.
    .replaceAll(/https?:\/\/\S+|(?<!\S)["']?\/\S+|\S*\/ItemLinks\b\S*/gi, '');
  const named = patterns.filter(([, pattern]) => pattern.test(words)).map(([part]) => part);
  // "The API key does not belong to the tenant in the header" names both.
  if (named[0] === 'tenant_header_lost' && named.includes('api_key_wrong')) return 'api_key_wrong';
  // "The user is not authenticated" refers to the API key.
  return kind === 'unauthorized' && named[0] === 'user_refused' ? undefined : named[0];
};

/** Creates the error of a failed response. */
export const refusal = (
  body: unknown,
  words: CallWords,
  stats: CallStats,
  isSignIn: boolean,
): PortalError => {
  const { status = 0 } = stats;
  const { redact, isEnveloped = false } = words;
  const result = isRecord(body) ? member(body, 'result') : undefined;
  // Some portals include the key in a refusal.
  rememberKey(isRecord(result) ? member(result, 'key') : undefined);
  const reading = readError(body);
  const kind = errorKind(status, reading);
  const named = /key|phrase|report|item/i.test(reading.code ?? '') ? reading.code : undefined;
  const message = [reading.message, named].filter(Boolean).join(' ');
  const part = refusedPart(kind, message, reading.validationErrors);
  const details = {
    kind: isEnveloped && kind === 'not_found' ? absence(reading, part) : kind,
    part,
    code: isSignIn && redirects.has(status) ? signInCode : redact(reading.code ?? String(status)),
    validationErrors: reading.validationErrors.map(({ field, message }) => ({
      field: redact(field),
      message: redact(message),
    })),
    stats: { ...stats, requestId: stats.requestId ?? (reading.requestId && redact(reading.requestId)) },
  } as const;
  const responded = 'The portal responded with';
  if (redirects.has(status)) return callError(words, `${responded} a redirect (status ${status}).`, details);
  const isUnread = stats.body === 'json' || (isRecord(body) && isRecord(member(body, 'error')));
  if (reading.message === undefined && (isUnread || !reading.isRefusal)) {
    const shape = isUnread
      ? `a body of an unknown shape: ${shapeOf(body, redact)}`
      : bodyNames[stats.body ?? 'text'];
    return callError(words, `${responded} status ${status} and ${shape}.`, details);
  }
  const refused = `The portal refused ${words.purpose} (status ${status})`;
  if (reading.message === undefined) return callError(words, `${refused}.`, details);
  const said = redact(reading.message).replace(/\.$/, '');
  return callError(words, refused, { ...details, said });
};
