import { type CallWords, callError } from '../errors/callError.ts';
import type { BodyKind, CallStats } from '../errors/callStats.ts';
import { isSignInRedirect } from './isSignInRedirect.ts';
import { isRecord, member } from './jsonValues.ts';
import { bodyNames, refusal } from './refusal.ts';
import { isEnvelope } from './unwrap.ts';

/** The body of a response. */
export interface ParsedBody {
  /** Its JSON; undefined if it is empty or not JSON. */
  readonly value: unknown;
  readonly kind: BodyKind;
}

/** Parses a body; anything but JSON has only its kind. */
export const parseBody = (text: string, contentType = ''): ParsedBody => {
  if (text.trim() === '') return { value: undefined, kind: 'empty' };
  try {
    const value: unknown = JSON.parse(text);
    return { value, kind: isEnvelope(value) ? 'envelope' : 'json' };
  } catch {
    const isPage = contentType.includes('html') || /^\s*<(?!\?xml)/i.test(text);
    return { value: undefined, kind: isPage ? 'html' : 'text' };
  }
};

/** The facts of a response, besides its body. */
export interface ReceivedResponse {
  readonly stats: CallStats;
  readonly location: string | undefined;
  readonly origin: string;
  readonly words: CallWords;
  readonly redact: (text: string) => string;
  readonly isEnveloped?: boolean | undefined;
}

/** Throws the error of a response that is not a success with JSON. */
export const checkResponse = ({ value, kind }: ParsedBody, response: ReceivedResponse): void => {
  const { stats, words, redact, isEnveloped = false, location, origin } = response;
  const { status = 0 } = stats;
  if (status < 200 || status >= 300 || isFailure(value))
    throw refusal({
      status,
      body: value,
      stats,
      words,
      redact,
      isEnveloped,
      isSignIn: isSignInRedirect(location, origin),
    });
  if (kind === 'html' || kind === 'text')
    throw callError(words, `The portal responded with status ${status} and ${bodyNames[kind]}.`, {
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
