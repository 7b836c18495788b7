import { type CallWords, callError } from '../errors/callError.ts';
import type { BodyKind, CallStats } from '../errors/callStats.ts';
import type { CallFailure, PortalError, PortalErrorKind } from '../errors/portalError.ts';
import { createSecretMask } from '../maskSecrets.ts';
import { errorKind } from './errorKind.ts';
import { signInCode } from './isSignInRedirect.ts';
import { isRecord, member } from './json.ts';
import { readError } from './readError.ts';
import { refusedPart } from './refusedPart.ts';

/** How messages name what came as a body. */
export const bodyNames: Readonly<Record<BodyKind, string>> = {
  envelope: 'an envelope',
  json: 'a body that is not an envelope',
  html: 'an HTML page',
  text: 'a body that is not JSON',
  empty: 'an empty body',
};

/** Statuses that lead elsewhere: 304 does not. */
export const redirects: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);

/** An answer that is not a success, and what is known about it. */
export interface RefusedAnswer {
  readonly status: number;
  /** The JSON of the body; undefined when there is none. */
  readonly body: unknown;
  readonly stats: CallStats;
  readonly words: CallWords;
  /** Whether every answer of the portal is an envelope. */
  readonly isEnveloped: boolean;
  /** Whether it is a redirect to a sign-in page, see `isSignInRedirect`. */
  readonly isSignIn?: boolean;
  /** Makes foreign text safe to show. */
  readonly redact: (text: string) => string;
}

/** Some portals send a key along with a refusal, and name it there. */
const withKeyMasked = (redact: RefusedAnswer['redact'], body: unknown): RefusedAnswer['redact'] => {
  const result = isRecord(body) ? member(body, 'result') : undefined;
  const key = isRecord(result) ? member(result, 'key') : undefined;
  if (typeof key !== 'string' || key === '') return redact;
  const mask = createSecretMask([key]);
  return (text) => redact(mask(text));
};

/** What a 404 means. Only the portal itself knows which items exist, and it may miss something else. */
const absence = (failure: CallFailure, isRefusal: boolean): PortalErrorKind => {
  if (!isRefusal) return 'invalid_response';
  return [undefined, 'report'].includes(refusedPart(failure)) ? 'not_found' : 'business';
};

/** The error of an answer that is not a success, in every dialect of error bodies. */
export const refusal = ({ status, body, stats, words, ...rest }: RefusedAnswer): PortalError => {
  const redact = withKeyMasked(rest.redact, body);
  const reading = readError(body);
  const message = redact(reading.message ?? '');
  const validationErrors = reading.validationErrors.map((one) => ({
    field: redact(one.field),
    message: redact(one.message),
  }));
  const kind = errorKind(status, reading);
  const details = {
    kind:
      rest.isEnveloped && kind === 'not_found'
        ? absence({ kind, message, validationErrors }, reading.isRefusal)
        : kind,
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
  return callError(words, `The portal refused ${words.purpose} (status ${status})${said}.`, details);
};
