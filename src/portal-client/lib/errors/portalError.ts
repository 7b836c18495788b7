import type { CallStats } from './callStats.ts';

/** What went wrong, for callers to branch on. */
export type PortalErrorKind =
  /** An option or argument is not valid; nothing was sent. */
  | 'config'
  /** The connection failed (DNS, proxy, TCP, TLS) or broke. */
  | 'network'
  /** A deadline passed. */
  | 'timeout'
  /** The caller's signal aborted. */
  | 'aborted'
  /** 400 or 422: the service refused the input; see `validationErrors`. */
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  /** An envelope with `success: false`, for example for a wrong passphrase. Permanent: never retried. */
  | 'business'
  /** 5xx without such an envelope. */
  | 'server'
  /** The response is not valid: not JSON, wrong shape, too large, a redirect. */
  | 'invalid_response'
  /** A list's pages do not add up to its total. */
  | 'paging'
  /** A read-only client rejected a write; nothing was sent. */
  | 'read_only';

/** One field that the service rejected. */
export interface ValidationError {
  /** Path of the field, as the service names it. */
  readonly field: string;
  readonly message: string;
}

/** Facts about a failed call. They contain no secret and no URL query. */
export interface PortalErrorDetails {
  readonly kind: PortalErrorKind;
  /** Code of the service or of the failure (`ECONNREFUSED`, `400`, `duplicate_email` …). */
  readonly code?: string | undefined;
  /** HTTP status. Default: that of `stats`. */
  readonly status?: number | undefined;
  readonly validationErrors?: readonly ValidationError[] | undefined;
  /** The service's own identifier of the request. Default: that of `stats`. */
  readonly requestId?: string | undefined;
  /** Milliseconds that the service asks to wait. Default: that of `stats`. */
  readonly retryAfterMs?: number | undefined;
  /** Number of requests sent. Default: that of `stats`. */
  readonly attempts?: number | undefined;
  /** Method, and path without query. Default: those of `stats`. */
  readonly request?: { readonly method: string; readonly path: string } | undefined;
  /** What to check or to change, if known. */
  readonly hint?: string | undefined;
  /** Facts of the last request; undefined if none was sent. */
  readonly stats?: CallStats | undefined;
}

/** Facts and message of a failed call; every {@link PortalError} is one. */
export interface CallFailure extends PortalErrorDetails {
  readonly message: string;
}

const brand = Symbol.for('@vitrine/portal-client/PortalError');

/** The error of this package. Calls reject with it; its fields and message are safe to log. */
export class PortalError extends Error implements PortalErrorDetails {
  override readonly name = 'PortalError';
  readonly kind: PortalErrorKind;
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly validationErrors: readonly ValidationError[];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly attempts: number;
  readonly request: PortalErrorDetails['request'];
  readonly hint: string | undefined;
  readonly stats: CallStats | undefined;

  constructor(message: string, details: PortalErrorDetails) {
    super(message);
    const { stats } = details;
    this.kind = details.kind;
    this.code = details.code;
    this.status = details.status ?? stats?.status;
    this.validationErrors = details.validationErrors ?? [];
    this.requestId = details.requestId ?? stats?.requestId;
    this.retryAfterMs = details.retryAfterMs ?? stats?.retryAfterMs;
    this.attempts = details.attempts ?? stats?.attempts ?? 0;
    this.request = details.request ?? (stats && { method: stats.method, path: stats.path });
    this.hint = details.hint;
    this.stats = stats;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Whether a thrown value is a {@link PortalError}, even from another copy of this package. */
export const isPortalError = (value: unknown): value is PortalError =>
  typeof value === 'object' && value !== null && brand in value;
