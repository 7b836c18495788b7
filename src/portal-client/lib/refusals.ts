import type { AdviceCode } from '@vitrine/contract/service';
import {
  type BodyKind,
  type CallFailure,
  type CallStats,
  type CallWords,
  callError,
  type PortalError,
  type PortalErrorKind,
  type ValidationError,
} from './errors.ts';
import { asFilledText, firstMember, isRecord, type JsonRecord, member } from './json.ts';
import { isEnvelope, type ParsedBody, shapeOf } from './responses.ts';

/** How a response is read and worded. */
export interface ResponseRules {
  readonly words: CallWords;
  /** Masks secrets in third-party text. */
  readonly redact: (text: string) => string;
  /** Whether every response of the portal is an envelope: a 404 without one then means a wrong URL, not a missing item. */
  readonly isEnveloped?: boolean | undefined;
}

/** Throws the error of a response that is not a success with JSON. */
export const checkResponse = (
  body: ParsedBody,
  sent: ResponseRules,
  stats: CallStats,
  isSignIn: boolean,
): void => {
  const { status = 0 } = stats;
  if (status < 200 || status >= 300 || isFailure(body.value))
    throw refusal(body.value, sent, stats, isSignIn);
  if (body.kind === 'html' || body.kind === 'text')
    throw callError(sent.words, `The portal responded with status ${status} and ${bodyNames[body.kind]}.`, {
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
interface ErrorReading {
  readonly code: string | undefined;
  readonly message: string | undefined;
  /** The code and each sentence. */
  readonly texts: readonly string[];
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
    texts: ['code', 'error', 'message', 'detail', 'title'].flatMap(
      (name) => asFilledText(member(inner, name)) ?? [],
    ),
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

/** Also masks the key that some portals include in a refusal. */
const withKeyMasked = (redact: ResponseRules['redact'], body: unknown): ResponseRules['redact'] => {
  const result = isRecord(body) ? member(body, 'result') : undefined;
  const key = isRecord(result) ? member(result, 'key') : undefined;
  if (typeof key !== 'string' || key === '') return redact;
  const inUrl = encodeURIComponent(key.toWellFormed());
  return (text) => redact(text.replaceAll(key, '***').replaceAll(inUrl, '***'));
};

/** The words of a sentence that says no more than that the report does not exist. */
const plainWords: ReadonlySet<string> = new Set(
  `a an the this that such there you we i with of to is was are has have had been be does do did can could
  find found locate located retrieve load available identified by get exist exists existing requested specified given entity record object
  sorry error no not missing gone deleted removed archived unavailable unknown unable longer anymore
  power bi embedded report item bireport biitem itemlink dashboard id guid number 0`.split(/\s+/),
);
const absent = /\b(?:no|not|missing|gone|deleted|removed|archived|unavailable|unknown|unable)\b/;
const report = /\b(?:(?:bi)?(?:report|item)|dashboard (?:(?:with|the|id|number) )*0)\b/;

/**
 * Whether a sentence says that there is no such report: every other thing that it names (a role, a page, a server) is a
 * word that is not plain.
 */
const isAbsentReport = (sentence: string): boolean => {
  const words = sentence
    .replaceAll(/(?:\bca)?n['’]t\b|(?<=\bcan)not\b/gi, ' not')
    // The report's name and number
    .replaceAll(/(["'])(?!(?:bi)?(?:report|item)\1)[^"'/]+\1/gi, ' ')
    .replaceAll(/\b(?=[a-f-]*\d)[\da-f-]+\b/gi, '0')
    // For whom or why, and what else may be the case
    .replace(/\b(?:or|because|in|on|for)\b.*/is, '')
    // As in "Entity type: Acme.BiReport" and "Acme:ReportNotFound"
    .replaceAll(/\b(?!(?:bi)?(?:report|item)\b)\w+[.:](?=[a-z])|\bentity type\b/gi, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .match(/[\p{L}\d/]+/gu);
  const text = words?.join(' ') ?? '';
  return absent.test(text) && report.test(text) && words?.every((word) => plainWords.has(word)) === true;
};

/** How much of a portal's text is understood: it may send megabytes, and patterns take long over one long word. */
const maxUnderstood = 4000;

/** The sentences of a text, and the parts of each. ASP.NET Boilerplate names the entity in a second one. */
const sentencesOf = (text: string): readonly string[] =>
  text
    .slice(0, maxUnderstood)
    .split(/[.;!?](?:\s+(?!entity type)|$)/i)
    .flatMap((sentence) => [sentence, ...sentence.split(/[,:.]\s+/)]);

/** Whether a refusal says that the report does not exist. */
const namesAbsentReport = ({ texts, validationErrors }: ErrorReading): boolean => {
  const sentences = [...texts, ...validationErrors.map(({ message }) => message)].flatMap(sentencesOf);
  const others = sentences.filter((sentence) => !isAbsentReport(sentence));
  return (
    validationErrors.some(({ field }) => /(?:^|\.)(?:report|item)id$/i.test(field)) ||
    // "Cannot find the report. The passphrase is wrong" is about the passphrase.
    (others.length < sentences.length && !others.some((sentence) => otherPart.test(sentence)))
  );
};

/** The meaning of a 404 for a key: only one that names the report is final. One that names nothing is a wrong address. */
const absence = (reading: ErrorReading, part: AdviceCode | undefined): PortalErrorKind => {
  if (namesAbsentReport(reading)) return 'not_found';
  return reading.isRefusal && part !== undefined ? 'business' : 'invalid_response';
};

/** Creates the error of a failed response. */
export const refusal = (
  body: unknown,
  sent: ResponseRules,
  stats: CallStats,
  isSignIn: boolean,
): PortalError => {
  const { words, isEnveloped = false } = sent;
  const { status = 0 } = stats;
  const redact = withKeyMasked(sent.redact, body);
  const reading = readError(body);
  // Understood before it is masked: a secret may be a word of the portal's sentence.
  const seen = { message: reading.message ?? '', validationErrors: reading.validationErrors, redact };
  const kind = errorKind(status, reading);
  const part = refusedPart({ kind, stats, ...seen });
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
      ? `a body of an unknown shape: ${shapeOf(body, words.mask)}`
      : bodyNames[stats.body ?? 'text'];
    return callError(words, `${responded} status ${status} and ${shape}.`, details);
  }
  const refused = `The portal refused ${words.purpose} (status ${status})`;
  if (reading.message === undefined) return callError(words, `${refused}.`, details, seen);
  const said = redact(reading.message).replace(/\.$/, '');
  return callError(words, refused, { ...details, said }, seen);
};

/** Words of a sentence that gives another reason than an absent report. */
const otherPart =
  /pass[ -]?phrase|\btenan|\bapi[ -]?key\b|permission|\b(?:role|user|server|gateway)|timed out|\/api\//i;

// In this order: "the user has no RLS role for the report" is about the role.
const patterns: readonly (readonly [AdviceCode, RegExp])[] = [
  ['tenant_header_lost', /tenant[ .-]?id\b|(?<!forgery )\bheader\b/i],
  ['ip_address_blocked', /\bip\b/i],
  ['permission_missing', /permission|\bAdministration\.\w/i],
  ['api_key_wrong', /\bapi[ -]?key\b/i],
  [
    'operator_only',
    /licen[cs]e|capacity|quota|\bAADSTS|tenan.*(not active|inactive|disabled|deactivated|suspended)/i,
  ],
  // "Expired" refers to something else.
  ['expiration_refused', /expir(?!ed)|lifetime/i],
  ['roles_refused', /role|\brls\b|requires effective identity/i],
  ['report_not_shared', /(?<!please )report(?!ed)|item(?!links)/i],
  ['passphrase_wrong', /pass[ -]?phrase/i],
  ['tenancy_name_wrong', /\btenan/i],
  // "The current user" is that of the API key.
  ['user_refused', /(?<!current )user|identity(?! provider)/i],
];

/** Whether the portal's message says more than that something failed. */
export const hasReason = ({ message }: CallFailure): boolean =>
  message !== '' &&
  !/error occurred|internal (server )?error|unexpected|unknown error|same key has already been added/i.test(
    message,
  );

/** The portal's message, if it gives a reason, and the fields it names. */
export const portalWords = (failure: CallFailure): string =>
  [
    ...(failure.validationErrors ?? []).flatMap((error) => [error.field, error.message]),
    hasReason(failure) ? failure.message : '',
  ]
    .join(' ')
    .slice(0, maxUnderstood);

/** The part that the portal's message is about; undefined if it names none. A message is evidence, not proof. */
export const refusedPart = (failure: CallFailure): AdviceCode | undefined => {
  // The address of the request, which a server repeats, names nothing.
  const words = portalWords(failure).replaceAll(/https?:\/\/\S+|\S*\/ItemLinks\b\S*/gi, '');
  const isAbsence = failure.stats?.status === 404;
  const named = patterns
    // A 404 that is about the report is understood by `absence` alone.
    .filter(([part, pattern]) => !(isAbsence && part === 'report_not_shared') && pattern.test(words))
    .map(([part]) => part);
  // "The API key does not belong to the tenant in the header" names both.
  if (named[0] === 'tenant_header_lost' && named.includes('api_key_wrong')) return 'api_key_wrong';
  // "The user is not authenticated" refers to the API key.
  return failure.kind === 'unauthorized' && named[0] === 'user_refused' ? undefined : named[0];
};

/** Permissions that a refusal names. */
export const namedPermissions = (failure: CallFailure): readonly string[] => [
  ...new Set(portalWords(failure).match(/\b[A-Z]\w+(?:\.[A-Z]\w+)+\b/g)),
];
