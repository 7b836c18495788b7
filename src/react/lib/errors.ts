import type { ProblemCode, ProblemKind, problemCodes } from '@vitrine/contract';

/** The kinds of errors for viewers. Each kind is also the most general code of its kind. */
export type EmbedErrorKind =
  | ProblemKind
  | 'offline'
  | 'key_expired'
  | 'frame_slow'
  | 'frame_blocked'
  | 'frame_denied';

/**
 * Whether a retry can help: `never` without a change by a developer or administrator, `manual` when the viewer retries (for
 * example after signing in), `automatic` after a delay.
 */
export type EmbedErrorRetry = 'never' | 'manual' | 'automatic';

/** Whether trying again can help, by kind. */
const retryByKind: Readonly<Record<EmbedErrorKind, EmbedErrorRetry>> = {
  misconfigured: 'never',
  signed_out: 'manual',
  report_unavailable: 'manual',
  rate_limited: 'automatic',
  offline: 'automatic',
  backend_unreachable: 'automatic',
  portal_unreachable: 'automatic',
  key_expired: 'manual',
  frame_slow: 'manual',
  frame_blocked: 'never',
  frame_denied: 'manual',
};

/** Codes of failures that only the browser sees. */
export type BrowserErrorCode =
  /** The browser is certain that there is no network. */
  | 'offline'
  /** Nothing responds at the endpoint, or the browser does not let the page read the response. */
  | 'backend_unreachable'
  /** The backend did not respond within ten seconds. */
  | 'backend_timeout'
  /** The response is not a key. */
  | 'backend_invalid_response'
  /** The key has expired, and the refresh policy leaves it to the host to renew it. */
  | 'key_expired'
  /** The frame did not load in time. */
  | 'frame_slow'
  /** The page's Content-Security-Policy does not allow the tenant's origin in frames. */
  | 'frame_blocked'
  /** The browser denies the page access to local networks, where the portal is. */
  | 'frame_denied';

/** Stable error code: one of the key endpoint, or one that only the browser sees. */
export type EmbedErrorCode =
  | ProblemCode
  | BrowserErrorCode
  // `http_<status>` for a response without a problem document; newer backends may add codes.
  | (string & {});

/** The backend's table as a type: its value would add texts for operators to every page. */
type BackendKinds = { readonly [TCode in ProblemCode]: (typeof problemCodes)[TCode]['kind'] };

/** The backend's codes that need a row: the others equal their kind, or count as outages, like unknown codes. */
type ListedCode = {
  [TCode in ProblemCode]: BackendKinds[TCode] extends TCode | 'backend_unreachable' ? never : TCode;
}[ProblemCode];

const kindByCode: Pick<BackendKinds, ListedCode> = {
  invalid_request: 'misconfigured',
  invalid_item_id: 'misconfigured',
  cross_site_request: 'misconfigured',
  route_not_found: 'misconfigured',
  method_not_allowed: 'misconfigured',
  request_too_large: 'misconfigured',
  unsupported_media_type: 'misconfigured',
  portal_refused: 'misconfigured',
  portal_invalid_response: 'portal_unreachable',
  portal_unavailable: 'portal_unreachable',
  portal_timeout: 'portal_unreachable',
};

/** Kind of error by HTTP status, if the response is not from our backend. */
const kindByStatus: Readonly<Record<number, EmbedErrorKind>> = { 401: 'signed_out', 429: 'rate_limited' };

const has = <TTable extends object>(table: TTable, name: PropertyKey): name is keyof TTable =>
  Object.hasOwn(table, name);

/**
 * Classifies an error: its kind for viewers, and whether a retry can help. A status without one of our own codes is an
 * outage: a proxy, a firewall or another framework responded instead of the backend.
 */
const classifyError = (
  code: string,
  status: number | undefined,
): { readonly kind: EmbedErrorKind; readonly retry: EmbedErrorRetry } => {
  const kind = has(kindByCode, code) ? kindByCode[code] : code;
  if (has(retryByKind, kind)) return { kind, retry: retryByKind[kind] };
  return { kind: kindByStatus[status ?? 0] ?? 'backend_unreachable', retry: 'automatic' };
};

/** Details of an {@link EmbedError}. */
export interface EmbedErrorFacts {
  /** HTTP status of the response; absent without a response. */
  readonly status?: number | undefined;
  /** Milliseconds that the backend asks to wait before a retry; absent or 0 if it does not. */
  readonly retryAfterMs?: number | undefined;
  /** Identifies the request in the backend's log; absent without a response. */
  readonly requestId?: string | undefined;
  /** Origin of the frame that did not load, for `frame_blocked`, `frame_denied` and `frame_slow`; absent for other codes. */
  readonly origin?: string | undefined;
  /** The thrown value; absent if there is none. */
  readonly cause?: unknown;
}

/** Help for developers, which only the entry for the export condition `development` installs. */
export const development: {
  advise?: (code: string, facts: EmbedErrorFacts) => { title: string; help: { hint: string; link: string } };
  /** Called once for each error of a report. */
  onReportError?: (itemId: number, error: EmbedError, isShown: boolean) => void;
  /** Called with each error of a list of reports. */
  onListError?: (error: EmbedError) => void;
  /** Called with the status of an action stream, or `same_key`. */
  warn?: (topic: string) => void;
  /** Called with the leases of a key when a report has joined them. */
  onLease?: (
    leases: ReadonlySet<{ readonly keys: { readonly viewerKey?: unknown; readonly headers?: unknown } }>,
  ) => void;
} = {};

/** The reason why a report cannot be shown or renewed. The message is for developers; viewers read {@link Labels}. */
export class EmbedError extends Error implements EmbedErrorFacts {
  /** Always `EmbedError`. */
  override readonly name = 'EmbedError';
  /** Stable code to branch on. */
  declare readonly code: EmbedErrorCode;
  /** The kind of message for viewers, with a text in {@link Labels}. */
  declare readonly kind: EmbedErrorKind;
  /**
   * Whether a retry can help, and who starts it. A status without one of our own codes counts as an outage: a proxy, a
   * firewall or another framework responded instead of the backend.
   */
  declare readonly retry: EmbedErrorRetry;
  /** What to do about it, in development; absent in production. */
  declare readonly hint?: string | undefined;
  /** The page about this code, in development; absent in production. */
  declare readonly link?: string | undefined;
  declare readonly status?: number | undefined;
  declare readonly retryAfterMs?: number | undefined;
  declare readonly requestId?: string | undefined;
  declare readonly origin?: string | undefined;

  /** Creates an error. Default message: what happened, in development; otherwise the code. */
  constructor(code: EmbedErrorCode, facts: EmbedErrorFacts = {}, message?: string) {
    const advice = development.advise?.(code, facts);
    super(message ?? advice?.title ?? code);
    Object.assign(this, { code }, advice?.help, facts, classifyError(code, facts.status));
  }
}

/** Whether the backend has decided that this viewer may not see the report, not even with a key that still works. */
export const isRefusal = (error: EmbedError | undefined): boolean => error?.retry === 'manual';
