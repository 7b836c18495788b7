import type { Dispatcher } from 'undici';
import { isRecord, type JsonRecord, member } from '../dialect/json.ts';
import { isEnvelope } from '../dialect/unwrap.ts';
import { answerError, requestIdOf } from '../errors/answerError.ts';
import { PortalError } from '../errors/portalError.ts';
import type { HttpAnswer, HttpCall } from './httpCall.ts';
import { parseJson, readBody } from './readBody.ts';

/** One request, ready to go. */
export interface OneRequest {
  readonly call: HttpCall;
  readonly dispatcher: Dispatcher;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly attempts: number;
  readonly maxResponseBytes: number;
  readonly nowMs: () => number;
  readonly secrets: readonly string[];
}

/** Sends one request and reads its answer. Throws a {@link PortalError} for every answer that is no success. */
export const sendOnce = async (request: OneRequest): Promise<HttpAnswer> => {
  const { call, attempts } = request;
  const {
    statusCode,
    headers: rawHeaders,
    body,
  } = await request.dispatcher.request({
    origin: request.url.origin,
    path: request.url.pathname + request.url.search,
    method: call.method,
    headers: request.headers,
    body: call.body === undefined ? null : JSON.stringify(call.body),
    signal: request.signal,
    // Both limits are the client's own deadlines, which also cover what lies between the two.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const headers = lowerCaseHeaders(rawHeaders);
  const text = await readBody(body, request.maxResponseBytes);
  const parsed = parseJson(text);
  const value = parsed.isJson ? parsed.value : undefined;
  const seen = { method: call.method, path: call.path };

  if (statusCode < 200 || statusCode >= 300 || isFailure(value))
    throw answerError({
      status: statusCode,
      headers,
      body: value,
      request: seen,
      attempts,
      nowMs: request.nowMs(),
      secrets: request.secrets,
    });
  if (!parsed.isJson)
    throw new PortalError(
      `${seen.method} ${seen.path} was answered with ${statusCode} and a body that is no JSON (${describeType(headers)}). A proxy or a sign-in page may have answered: check baseUrl.`,
      {
        kind: 'invalid_response',
        code: 'not_json',
        status: statusCode,
        requestId: requestIdOf(headers),
        attempts,
        request: seen,
      },
    );
  return { status: statusCode, headers, body: value, requestId: requestIdOf(headers), attempts };
};

/** HTTP 200 with `success: false` is an error too, unless it is a field of a bare resource. */
const isFailure = (body: unknown): boolean =>
  isRecord(body) &&
  member(body, 'success') === false &&
  (isEnvelope(body) || isRecord(member(body, 'error')) || !isResource(body));

const isResource = (body: JsonRecord): boolean => Object.hasOwn(body, 'id') || Object.hasOwn(body, 'userId');

const lowerCaseHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> => {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) read[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  return read;
};

const describeType = (headers: Readonly<Record<string, string>>): string => {
  const type = headers['content-type']?.split(';')[0]?.trim() ?? '';
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'without a content type';
};
