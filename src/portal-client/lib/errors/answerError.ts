import { readError } from '../dialect/readError.ts';
import { createHideSecrets } from '../http/createHideSecrets.ts';
import { parseRetryAfter } from '../http/parseRetryAfter.ts';
import { adviceFor, errorKind } from './errorKind.ts';
import { PortalError } from './portalError.ts';

/** A refused answer and what is known about it. */
export interface RefusedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly request: { readonly method: string; readonly path: string };
  readonly attempts: number;
  readonly nowMs: number;
  /** Texts no error may repeat. */
  readonly secrets: readonly string[];
}

/** The error of an answer that is no success. */
export const answerError = (answer: RefusedAnswer): PortalError => {
  const { status, headers, request, secrets } = answer;
  const reading = readError(answer.body);
  const kind = errorKind(status, reading);
  const hide = createHideSecrets(secrets);
  const said = reading.message === undefined ? '' : `: ${hide(reading.message)}`;
  const advice = status >= 300 && status < 400 ? redirectAdvice : (adviceFor[kind] ?? '');
  const message = `${request.method} ${request.path} was answered with ${status}${said}`;
  return new PortalError(`${message}${/[.!?]$/.test(message) ? '' : '.'} ${advice}`.trim(), {
    kind,
    code: hide(reading.code ?? String(status)),
    status,
    validationErrors: reading.validationErrors.map(({ field, message }) => ({
      field: hide(field),
      message: hide(message),
    })),
    requestId: requestIdOf(headers) ?? (reading.requestId && hide(reading.requestId)),
    retryAfterMs: parseRetryAfter(headers['retry-after'], answer.nowMs),
    attempts: answer.attempts,
    request,
  });
};

const redirectAdvice = 'Redirects are not followed: set baseUrl to the address that answers.';

const requestIdHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];

/** The service's own identifier of a request, from its headers. */
export const requestIdOf = (headers: Readonly<Record<string, string>>): string | undefined => {
  for (const name of requestIdHeaders) {
    const value = headers[name]?.trim();
    if (value !== undefined && /^[\x21-\x7e]{1,200}$/.test(value)) return value;
  }
  return undefined;
};
