import { PortalError } from '../errors/portalError.ts';
import { BodyTooLargeError } from './readBody.ts';

/** A request that got no complete answer. */
export interface UnansweredRequest {
  readonly request: { readonly method: string; readonly path: string };
  readonly attempts: number;
  readonly maxResponseBytes: number;
}

/** The error of a request that broke off: what the network said, as a code alone. */
export const networkError = (thrown: unknown, context: UnansweredRequest): PortalError => {
  const { request, attempts, maxResponseBytes } = context;
  if (thrown instanceof BodyTooLargeError)
    return new PortalError(
      `${request.method} ${request.path} was answered with more than ${maxResponseBytes} bytes. Ask for smaller pages, or raise maxResponseBytes.`,
      { kind: 'invalid_response', code: 'too_large', attempts, request },
    );
  const code = codeOf(thrown);
  return new PortalError(
    `${request.method} ${request.path} got no complete answer (${code}). Check baseUrl, DNS, TLS and the network between.`,
    { kind: 'network', code, attempts, request },
  );
};

/** The code of the innermost failure: Node hides `ECONNREFUSED` behind an AggregateError for hosts with two addresses. */
const codeOf = (thrown: unknown): string => {
  let code = 'UNKNOWN';
  let current = thrown;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth += 1) {
    if ('code' in current && typeof current.code === 'string') code = current.code;
    const errors: unknown = 'errors' in current ? current.errors : undefined;
    current = Array.isArray(errors) ? errors[0] : 'cause' in current ? current.cause : undefined;
  }
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'UNKNOWN';
};
