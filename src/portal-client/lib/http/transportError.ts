import { type CallWords, callError } from '../errors/callError.ts';
import type { CallStats } from '../errors/callStats.ts';
import type { PortalError } from '../errors/portalError.ts';
import { type CallScope, ScopeEnded } from './callScope.ts';
import { BodyTooLargeError } from './decodeBody.ts';

/** A request without a complete response. */
export interface UnansweredRequest {
  readonly scope: CallScope;
  /** Maximum body size in bytes. */
  readonly maxBytes: number;
  readonly words: CallWords;
  readonly stats: CallStats;
}

/**
 * Creates the error of a request without a complete response. It keeps only the code of the thrown error: messages of
 * HTTP clients may quote headers and bodies, and ours contain secrets.
 */
export const transportError = (
  thrown: unknown,
  { scope, maxBytes, words, stats }: UnansweredRequest,
): PortalError => {
  if (thrown instanceof ScopeEnded) return endedError(scope, { words, stats });
  if (thrown instanceof BodyTooLargeError)
    return callError(words, `The body of the portal's response is too large: more than ${maxBytes} bytes.`, {
      kind: 'invalid_response',
      code: 'too_large',
      stats,
    });
  const code = codeOf(thrown);
  if (zlibCodes.test(code))
    return callError(words, `The compressed body of the portal's response is damaged (${code}).`, {
      kind: 'invalid_response',
      code: 'bad_encoding',
      stats,
    });
  if (code === unaskedContinue)
    return callError(words, 'The portal sent "100 Continue" without being asked.', {
      kind: 'invalid_response',
      code,
      stats,
    });
  if (malformed.has(code))
    return callError(words, `The portal's response cannot be read (${code}).`, {
      kind: 'invalid_response',
      code,
      stats,
    });
  const isJunk = code.startsWith('HPE_');
  return callError(
    words,
    isJunk
      ? `The portal's response is not HTTP (${code}).`
      : `The connection to the portal failed (${code}).`,
    { kind: isJunk ? 'invalid_response' : 'network', code, stats },
  );
};

/** undici fails on such a response; only its message distinguishes it from a closed connection. */
const unaskedContinue = 'UNASKED_CONTINUE';
/** Codes of a response whose headers are too large or contradict its body: the connection itself worked. */
const malformed: ReadonlySet<string> = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);

/** Creates the error of a call that was ended by its deadline, that of one request, or its caller. */
export const endedError = (
  scope: CallScope,
  { words, stats }: { readonly words: CallWords; readonly stats: CallStats },
): PortalError =>
  scope.endedBy === 'aborted'
    ? callError(words, 'The caller aborted the call.', { kind: 'aborted', code: 'aborted', stats })
    : callError(
        words,
        stats.status === undefined
          ? 'The portal did not respond in time.'
          : `The portal did not finish its response (status ${stats.status}) in time.`,
        { kind: 'timeout', code: scope.endedBy === 'timeout' ? 'deadline' : 'attempt_timeout', stats },
      );

const zlibCodes = /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING)/;
const tunnel = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

/** The code of the innermost failure: Node hides `ECONNREFUSED` behind an AggregateError for hosts with two addresses. */
export const codeOf = (thrown: unknown): string => {
  let code = 'UNKNOWN';
  let current = thrown;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth += 1) {
    // undici only gives the status of a proxy that refuses the tunnel in its message.
    const status = current instanceof Error ? tunnel.exec(current.message)?.[1] : undefined;
    if (status !== undefined) return `PROXY_${status}`;
    if (current instanceof Error && current.name === 'SocketError' && current.message === 'bad response')
      return unaskedContinue;
    // undici's parser does not give every error a code.
    if (current instanceof Error && current.name === 'HTTPParserError') code = 'HPE_INVALID';
    if ('code' in current && typeof current.code === 'string') code = current.code;
    const errors: unknown = 'errors' in current ? current.errors : undefined;
    current = Array.isArray(errors) ? errors[0] : 'cause' in current ? current.cause : undefined;
  }
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'UNKNOWN';
};
