import { PortalError, type PortalErrorKind } from '../errors/portalError.ts';
import { parseRetryAfter } from '../http/parseRetryAfter.ts';
import type { ExchangeAnswer } from './exchange.ts';

/** What the reading of an answer needs besides the answer. */
export interface ReadContext {
  readonly nowMs: number;
  readonly redact: (text: string) => string;
  readonly request: { readonly method: string; readonly path: string };
}

// Base64, base64url, JWT and hex all fit; white space, quotes and line breaks do not.
const notInKeys = /[^\x21\x23-\x26\x28-\x5b\x5d-\x7e]/;
const maxKeyLength = 16_384;
/** Viewers wait meanwhile, so a portal that asks for more than five minutes is asked again after them. */
const longestPauseMs = 5 * 60 * 1000;

const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxKeyLength && !notInKeys.test(value);

const kindsByStatus: Readonly<Record<number, PortalErrorKind>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'invalid',
  429: 'rate_limited',
};

const parseObject = (body: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(body);
    // A parsed JSON object has text keys and nothing inherited that we read: every read below goes through `own`.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
};

const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const describeKind = (answer: ExchangeAnswer): string => {
  if (answer.body === '') return 'an empty body';
  return answer.contentType?.includes('html') ? 'an HTML page' : 'a body that is no envelope';
};

/**
 * Takes the key out of an answer of CreateEncryptedKey, or throws what the answer means.
 * The envelope is judged before the status: `success: false` is a verdict of the service and permanent, whether it
 * came with 200 or with 500; a 5xx without it is a failure of the way there and may pass.
 */
export const readMintAnswer = (answer: ExchangeAnswer, context: ReadContext): string => {
  const { status } = answer;
  const pauseMs = parseRetryAfter(answer.retryAfter, context.nowMs);
  const retryAfterMs = pauseMs === undefined ? undefined : Math.min(pauseMs, longestPauseMs);
  const fail = (kind: PortalErrorKind, message: string, code?: string) =>
    new PortalError(message, { kind, code, status, retryAfterMs, attempts: 1, request: context.request });

  const envelope = parseObject(answer.body);
  const success = own(envelope, 'success');
  if (success === false) {
    const error = own(envelope, 'error');
    const code = own(error, 'code');
    const said = own(error, 'message');
    const verdict = typeof code === 'number' && code in kindsByStatus ? code : status;
    const kind =
      own(envelope, 'unAuthorizedRequest') === true && verdict !== 403
        ? 'unauthorized'
        : (kindsByStatus[verdict] ?? 'business');
    const words =
      typeof said === 'string' && said !== '' ? `: "${context.redact(said).replace(/\.$/, '')}"` : '';
    throw fail(
      kind,
      `The portal refused to create a key (status ${status})${words}.`,
      typeof code === 'number' ? String(code) : undefined,
    );
  }
  if (status < 200 || status > 299) {
    if (status >= 300 && status < 400)
      throw fail('invalid_response', `The portal answered with a redirect (status ${status}).`);
    const kind = kindsByStatus[status] ?? (status >= 500 || status === 408 ? 'server' : 'invalid_response');
    // Only the service itself knows which items exist: a 404 without its envelope is a wrong address.
    throw fail(
      kind === 'not_found' ? 'invalid_response' : kind,
      `The portal answered with status ${status} and ${describeKind(answer)}.`,
    );
  }
  const key = own(own(envelope, 'result'), 'key');
  if (success !== true || !isKey(key))
    throw fail(
      'invalid_response',
      `The portal answered with status ${status} and ${envelope === undefined ? describeKind(answer) : 'an envelope without a usable key'}.`,
    );
  return key;
};
