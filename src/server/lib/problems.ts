import {
  type Problem,
  type ProblemCode,
  type ProblemSeverity,
  problemCodes,
  problemMediaType,
} from '@vitrine/contract';
import { type CallStats, isPortalError, type PortalErrorKind } from '@vitrine/portal-client';

/** What the options of the client are called here. */
export const upstreamNames = { dispatcher: 'upstream.dispatcher' };

/** The fields of a problem that the browser gets. */
export interface ProblemFields {
  readonly code: ProblemCode;
  /** What happened, what was seen, what to do. Default: the title of the code. */
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Methods for the header `Allow`, with 405. */
  readonly allow?: string | undefined;
  /** Whether to close the connection without reading the rest of the request. */
  readonly closesConnection?: boolean;
}

/** Details of a problem, for the operator only. No secret, no key, no URL query. */
export interface ProblemNotes {
  /** Who caused it: the request, the host's own rules, the host's code, this package, or the portal. */
  readonly origin: 'request' | 'rules' | 'host' | 'server' | 'portal';
  /** Description of the problem. That of the host's code is redacted where it is logged. */
  readonly problem?: string | undefined;
  /** Where to look or what to change. */
  readonly hint?: string | undefined;
  /** Log level, if the default of the code does not fit. */
  readonly severity?: ProblemSeverity | 'debug' | undefined;
  /** The call to the portal that failed. */
  readonly stats?: CallStats | undefined;
  readonly portalCode?: string | undefined;
}

/** A request that failed. Its `cause` is the original error of the host's code or the portal. */
export class KeyRequestError extends Error {
  override readonly name = 'KeyRequestError';
  /** Fields for the browser. */
  readonly fields: ProblemFields;
  readonly notes: ProblemNotes;

  constructor(fields: ProblemFields, notes: ProblemNotes, cause?: unknown) {
    super(notes.problem ?? fields.code, { cause });
    this.fields = fields;
    this.notes = notes;
  }
}

/** The client has disconnected and no longer expects a response. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

/** A thrown value in a few words. It may be anything, and its getters may throw. */
export const describeThrown = (error: unknown): string => {
  try {
    return error instanceof Error
      ? `${error.name}: ${error.message}`
      : `something that is not an Error (${typeof error})`;
  } catch {
    return 'an error that cannot be read';
  }
};

const codes: Readonly<Record<PortalErrorKind, ProblemCode>> = {
  config: 'internal_error',
  read_only: 'internal_error',
  paging: 'portal_invalid_response',
  network: 'portal_unreachable',
  timeout: 'portal_timeout',
  aborted: 'portal_timeout',
  invalid: 'portal_refused',
  unauthorized: 'portal_refused',
  forbidden: 'portal_refused',
  conflict: 'portal_refused',
  business: 'portal_refused',
  not_found: 'report_unavailable',
  rate_limited: 'rate_limited',
  server: 'portal_unavailable',
  invalid_response: 'portal_invalid_response',
};

/** The longest pause that a browser makes, whatever the portal's `Retry-After` says. */
const maxPauseMs = 60_000;

/** Converts a thrown value to a {@link KeyRequestError}. The browser gets our code, and none of the portal's text. */
export const toKeyRequestError = (error: unknown, itemId: number | undefined): KeyRequestError => {
  if (error instanceof KeyRequestError) return error;
  if (!isPortalError(error))
    return new KeyRequestError(
      { code: 'internal_error' },
      { origin: 'server', problem: `The key endpoint threw ${describeThrown(error)}` },
      error,
    );
  const { kind, message, stats, code: portalCode } = error;
  const hint = error.explain('option', upstreamNames).check || undefined;
  const problem = kind === 'not_found' ? `The portal has no item ${itemId}. ${message}` : message;
  return new KeyRequestError(
    { code: codes[kind], retryAfterMs: stats?.retryAfterMs && Math.min(stats.retryAfterMs, maxPauseMs) },
    { origin: 'portal', problem, hint, stats, portalCode },
    error,
  );
};

/** A response as plain data: on Node, a `Response` and its body would cost more than the rest of a request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array> | null;
}

/** Headers of every response: no storing, no sharing, no guessing of its type. */
const privateHeaders = {
  'Cache-Control': 'no-store',
  Vary: 'Cookie, Authorization, Origin, Sec-Fetch-Site',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** A successful response with a value as JSON. */
export const jsonReply = (value: object): Reply => ({
  status: 200,
  headers: { ...privateHeaders, 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

/** The response with the problem document (RFC 9457) of a failure. Status and title come from the contract's table. */
export const problemReply = (fields: ProblemFields): Reply => {
  const { code, requestId, retryAfterMs, allow, closesConnection } = fields;
  const { status, title } = problemCodes[code];
  const problem: Problem = {
    type: `urn:vitrine:problem:${code}`,
    title,
    status,
    detail: fields.detail ?? title,
    code,
    ...(requestId !== undefined && { requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs: Math.ceil(retryAfterMs) }),
  };
  const headers = {
    ...privateHeaders,
    'Content-Type': problemMediaType,
    ...(retryAfterMs !== undefined && {
      'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))),
    }),
    ...(allow !== undefined && { Allow: allow }),
    ...(closesConnection === true && { Connection: 'close' }),
  };
  return { status, headers, body: JSON.stringify(problem) };
};

/** The response to a URL, a method or a header that no web-standard request can have. */
export const malformedRequest = problemReply({
  code: 'invalid_request',
  detail: 'The method, the URL or a header such as Host is malformed.',
});

/** A reply as a web-standard response. */
export const toResponse = ({ body, ...init }: Reply): Response => new Response(body, init);

/** The response to a path that the mount does not serve. */
export const notFound = problemReply({ code: 'route_not_found' });

/** The response for a client that has disconnected: nobody reads it, but a handler must return one. */
export const gone: Reply = { status: 499, headers: {}, body: null };
