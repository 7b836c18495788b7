import type { ProblemCode, ProblemKind, problemCodes } from '@vitrine/contract';

/** What a viewer needs to tell apart. Each kind is also a code, the plainest one of its kind. */
export type EmbedErrorKind =
  | ProblemKind
  | 'offline'
  | 'key_expired'
  | 'frame_slow'
  | 'frame_blocked'
  | 'frame_isolated';

/**
 * Whether trying again can help: `never` without a change by a developer or administrator, `person` once somebody asks for
 * it (after signing in, for example), `auto` after a pause.
 */
export type EmbedErrorRetry = 'never' | 'person' | 'auto';

/** Whether trying again can help, by kind. */
export const retryByKind = {
  misconfigured: 'never',
  signed_out: 'person',
  report_unavailable: 'person',
  rate_limited: 'auto',
  offline: 'auto',
  backend_unreachable: 'auto',
  portal_unreachable: 'auto',
  key_expired: 'person',
  frame_slow: 'person',
  frame_blocked: 'person',
  frame_isolated: 'person',
} as const satisfies Record<EmbedErrorKind, EmbedErrorRetry>;

/** The backend's table as a type: its value would bring texts for operators into every page. */
type BackendKinds = { readonly [TCode in ProblemCode]: (typeof problemCodes)[TCode]['kind'] };

const backendKinds: BackendKinds = {
  invalid_request: 'misconfigured',
  invalid_item_id: 'misconfigured',
  signed_out: 'signed_out',
  cross_site_request: 'misconfigured',
  report_unavailable: 'report_unavailable',
  route_not_found: 'misconfigured',
  method_not_allowed: 'misconfigured',
  request_too_large: 'misconfigured',
  unsupported_media_type: 'misconfigured',
  rate_limited: 'rate_limited',
  internal_error: 'backend_unreachable',
  portal_refused: 'misconfigured',
  portal_unreachable: 'portal_unreachable',
  portal_invalid_response: 'portal_unreachable',
  overloaded: 'backend_unreachable',
  portal_unavailable: 'portal_unreachable',
  portal_timeout: 'portal_unreachable',
};

/** The codes of what only the browser can see. */
const browserKinds = {
  /** The browser is certain that there is no network. */
  offline: 'offline',
  /** Nothing answers at the endpoint, or the browser does not let the page read the answer. */
  backend_unreachable: 'backend_unreachable',
  /** The backend did not answer within ten seconds. */
  backend_timeout: 'backend_unreachable',
  /** Something answered that is not a key. */
  backend_invalid_response: 'backend_unreachable',
  /** The host's `headers` function threw or rejected. */
  headers_failed: 'backend_unreachable',
  /** The backend names a tenant address that no portal can have. */
  invalid_tenant_url: 'misconfigured',
  /** The key has expired, and the refresh policy leaves it to the host to renew it. */
  key_expired: 'key_expired',
  /** The frame has not loaded in time. */
  frame_slow: 'frame_slow',
  /** The page's Content-Security-Policy does not allow the tenant's origin in frames. */
  frame_blocked: 'frame_blocked',
  /** The page is cross-origin isolated, and the portal does not allow that in this browser. */
  frame_isolated: 'frame_isolated',
  /** The report went away before its refresh was done. Only `refresh()` rejects with it. */
  refresh_aborted: 'backend_unreachable',
} as const satisfies Record<string, EmbedErrorKind>;

/** The kind of every code that this version knows. */
export const kindByCode: Readonly<Record<ProblemCode | keyof typeof browserKinds, EmbedErrorKind>> = {
  ...backendKinds,
  ...browserKinds,
};

/** Stable code of what went wrong: those of the key endpoint, and those that only a browser can see. */
export type EmbedErrorCode =
  | keyof typeof kindByCode
  // `http_<status>` for an answer without a problem document; and a newer backend may know more codes than this version.
  | (string & {});

/** Whether this version knows a code. */
export const isKnownCode = (code: string): code is keyof typeof kindByCode => Object.hasOwn(kindByCode, code);
