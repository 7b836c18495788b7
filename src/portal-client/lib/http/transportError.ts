import { type CallWords, callError } from '../errors/callError.ts';
import type { CallStats } from '../errors/callStats.ts';
import type { PortalError } from '../errors/portalError.ts';

/** Why a call ended before its response: its caller aborted it, or its deadline passed. */
export type CallEnd = 'aborted' | 'deadline';

/** The body exceeds the size limit. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
  readonly code = 'ERR_BUFFER_TOO_LARGE';
}

/** A request without a complete response. */
export interface UnansweredRequest {
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
  { maxBytes, words, stats }: UnansweredRequest,
): PortalError => {
  const code = codeOf(thrown);
  if (code === 'ERR_BUFFER_TOO_LARGE')
    return callError(words, `The body of the portal's response is too large: more than ${maxBytes} bytes.`, {
      kind: 'invalid_response',
      code: 'too_large',
      stats,
    });
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return endedError('attempt_timeout', words, stats);
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

/** Creates the error of a call that was ended by its caller, its deadline, or the limit of one request. */
export const endedError = (
  code: CallEnd | 'attempt_timeout',
  words: CallWords,
  stats: CallStats,
): PortalError => {
  if (code === 'aborted')
    return callError(words, 'The caller aborted the call.', { kind: 'aborted', code, stats });
  const sentence =
    stats.status === undefined
      ? 'The portal did not respond in time.'
      : `The portal did not finish its response (status ${stats.status}) in time.`;
  return callError(words, sentence, { kind: 'timeout', code, stats });
};

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
