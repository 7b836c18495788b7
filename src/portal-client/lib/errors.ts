import {
  type AdviceCode,
  explain,
  type Failure,
  fillSentence,
  checkOptions as findFailure,
  type OptionRules,
  type Voice,
} from '@vitrine/contract/service';

/** One API key and one passphrase, by their positions in the connection's lists (0 is the newest). */
export type SecretPair = {
  readonly apiKey: number;
  readonly passPhrase: number;
};

/** Kind of a response body. Only `envelope` and `json` can be from the portal; the others are from a gateway. */
export type BodyKind = 'envelope' | 'json' | 'html' | 'text' | 'empty';

/** Facts about one request and its response, for logs, metrics and errors. Contains no secret, body or query. */
export interface CallStats {
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** HTTP status; undefined without a response. */
  readonly status?: number | undefined;
  /** Undefined without a response. */
  readonly body?: BodyKind | undefined;
  /** The portal's identifier of the request, if any. */
  readonly requestId?: string | undefined;
  /** Requests sent so far for this call: 1 for the first. */
  readonly attempts: number;
  /** Upstream latency: milliseconds from the start of the request to the end of its response. */
  readonly durationMs: number;
  /**
   * The portal's clock minus ours, in milliseconds, according to its `Date` header; undefined without one. The header
   * has whole seconds, so smaller differences mean nothing.
   */
  readonly clockSkewMs?: number | undefined;
  /** Milliseconds the portal asks to wait before the next request. */
  readonly retryAfterMs?: number | undefined;
  /** Origin of the proxy, without credentials. */
  readonly proxy?: string | undefined;
  /** Which of the configured secrets were sent, for CreateEncryptedKey: 0 is the newest. */
  readonly secrets?: SecretPair | undefined;
}

/** What went wrong, for callers to branch on. */
export type PortalErrorKind =
  /** An option or argument is not valid; nothing was sent. */
  | 'config'
  /** The connection failed (DNS, proxy, TCP, TLS) or broke. */
  | 'network'
  /** A deadline passed. */
  | 'timeout'
  /** The caller's signal aborted. */
  | 'aborted'
  /** 400 or 422: the service refused the input; see `validationErrors`. */
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  /** An envelope with `success: false`, for example for a wrong passphrase. Permanent: never retried. */
  | 'business'
  /** 5xx without such an envelope. */
  | 'server'
  /** The response is not valid: not JSON, wrong shape, too large, a redirect. */
  | 'invalid_response'
  /** A list's pages do not add up to its total. */
  | 'paging'
  /** A read-only client rejected a write; nothing was sent. */
  | 'read_only';

/** One field that the service rejected. */
export type ValidationError = {
  /** Path of the field, as the service names it. */
  readonly field: string;
  readonly message: string;
};

/** Facts about a failed call. They contain no secret and no URL query. */
export interface PortalErrorDetails {
  readonly kind: PortalErrorKind;
  /** Code of the service or of the failure (`ECONNREFUSED`, `400`, `duplicate_email` …). */
  readonly code?: string | undefined;
  readonly validationErrors?: readonly ValidationError[] | undefined;
  /** What the portal said, with secrets masked; undefined if it said nothing. */
  readonly said?: string | undefined;
  /** What went wrong, as data: `explain()` words it for the place where it is shown. */
  readonly failure?: Failure | undefined;
  /** What the portal's own message is about, read before secrets were masked in it: a row of the table of advice. */
  readonly part?: AdviceCode | undefined;
  /** Facts of the last request; undefined if none was sent. */
  readonly stats?: CallStats | undefined;
}

const brand = Symbol.for('@vitrine/portal-client/PortalError');

/** What happened and what to check, worded for the place where an error is shown. */
type Wording = {
  /** What happened, with the portal's own words. */
  readonly what: string;
  /** The same without them. */
  readonly summary: string;
  readonly check: string;
};

/** The error of this package. Calls reject with it; its fields and message are safe to log. */
export class PortalError extends Error implements PortalErrorDetails {
  override readonly name = 'PortalError';
  /** What happened, without the portal's words; a name in braces is a setting. Empty if the table of advice says it. */
  readonly #text: string;
  readonly kind: PortalErrorKind;
  readonly code: string | undefined;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  readonly validationErrors: readonly ValidationError[];
  readonly said: string | undefined;
  readonly failure: Failure | undefined;
  readonly part: AdviceCode | undefined;
  readonly stats: CallStats | undefined;

  /** `showsCheck`: whether the message also says what to check. */
  constructor(text: string, details: PortalErrorDetails, { showsCheck = false } = {}) {
    const { what, check } = wordingOf(text, details, 'option');
    super(showsCheck ? [what, check].join(' ').trim() : what);
    this.#text = text;
    this.kind = details.kind;
    this.code = details.code;
    this.status = details.stats?.status;
    this.validationErrors = details.validationErrors ?? [];
    this.said = details.said;
    this.failure = details.failure;
    this.part = details.part;
    this.stats = details.stats;
    Object.defineProperty(this, brand, { value: true });
  }

  /** What to check or to change, if known, in terms of options. */
  get hint(): string | undefined {
    return wordingOf('', this, 'option').check || undefined;
  }

  /**
   * Words the error for the place where it is shown: with the names of options, variables or flags. `names` has other
   * names of settings, where more is known about them.
   */
  explain(voice: Voice, names?: Readonly<Record<string, string>>): Wording {
    return wordingOf(this.#text, this, voice, names);
  }
}

const wordingOf = (
  text: string,
  { failure = { code: '' }, said }: Pick<PortalErrorDetails, 'failure' | 'said'>,
  voice: Voice,
  names?: Readonly<Record<string, string>>,
): Wording => {
  const { what, check } = explain(failure, voice, names);
  const summary = text === '' ? what : fillSentence(text, failure, voice, names);
  return said === undefined
    ? { what: summary, summary, check }
    : { what: `${summary}: "${said}".`, summary: `${summary}.`, check };
};

/** Whether a thrown value is a {@link PortalError}, even from another copy of this package. */
export const isPortalError = (value: unknown): value is PortalError =>
  typeof value === 'object' && value !== null && brand in value;

/** How the responses of a call are read and worded. */
export interface CallWords {
  /** Prefix of every message, such as `GET /v1/users`; messages with it say what to check. */
  readonly label?: string | undefined;
  /** What the request is for, as in "The portal refused to create a key". */
  readonly purpose: string;
  /** What to check or to change. */
  readonly adviceOf: (failure: PortalErrorDetails) => Failure | undefined;
  /** Makes text of the portal safe to show. */
  readonly redact: (text: string) => string;
  /** Whether every response of the portal is an envelope: a 404 without one then means a wrong URL, not a missing item. */
  readonly isEnveloped?: boolean | undefined;
}

/** The error of a call. What the portal said is already masked in the details, and only that: a secret may be a word of ours. */
export const callError = (
  { label, adviceOf }: CallWords,
  sentence: string,
  details: PortalErrorDetails,
): PortalError => {
  const text = label === undefined ? sentence : `${label}: ${sentence}`;
  return new PortalError(
    text,
    { ...details, failure: adviceOf(details) },
    { showsCheck: label !== undefined },
  );
};

/** Creates an error of kind `config`; nothing was sent. The message must never contain a secret. */
export const configError = (code: string, message: string): PortalError =>
  new PortalError(message, { kind: 'config', code });

/** Creates the error of a setting from a row of the table of advice; `code` is the error's own, by default the row's. */
export const settingError = (failure: Failure, code: string = failure.code): PortalError =>
  new PortalError('', { kind: 'config', code, failure }, { showsCheck: true });

/** Creates the error of an invalid option, with the code `bad_option_<option>`. */
export const optionError = (option: string, problem: string): PortalError =>
  settingError({ code: 'bad_option', setting: option, found: problem }, `bad_option_${option}`);

/** Checks options against their rules, see `checkOptions` of `@vitrine/contract/service`. Throws for the first failure. */
export const checkOptions = (subject: string, given: unknown, rules: OptionRules): void => {
  const failure = findFailure(subject, given, rules);
  if (failure !== undefined)
    throw settingError(
      failure,
      failure.setting === undefined ? failure.code : `bad_option_${failure.setting}`,
    );
};

/** Longest delay of a timer, in milliseconds; a longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1;
