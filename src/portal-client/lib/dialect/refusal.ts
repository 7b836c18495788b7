import { createSecretMask } from '../createSecretMask.ts';
import { type CallWords, callError } from '../errors/callError.ts';
import type { BodyKind, CallStats } from '../errors/callStats.ts';
import type { PortalError, PortalErrorKind, RefusedPart } from '../errors/portalError.ts';
import { errorKind } from './errorKind.ts';
import { signInCode } from './isSignInRedirect.ts';
import { isRecord, member } from './jsonValues.ts';
import { readError } from './readError.ts';
import { refusedPart } from './refusedPart.ts';

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

/** Creates the error of a failed response, in every dialect of error bodies. */
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
  if (reading.message === undefined && !reading.isRefusal)
    return callError(
      words,
      `The portal responded with status ${status} and ${bodyNames[stats.body ?? 'text']}.`,
      details,
    );
  const said = reading.message === undefined ? '' : `: "${message.replace(/\.$/, '')}"`;
  return callError(words, `The portal refused ${words.purpose} (status ${status})${said}.`, details, seen);
};
