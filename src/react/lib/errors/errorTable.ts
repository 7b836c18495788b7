import type { ProblemCode, ProblemKind, problemCodes } from '@vitrine/contract';

/** The kinds of errors for viewers. Each kind is also the most general code of its kind. */
export type EmbedErrorKind =
  | ProblemKind
  | 'offline'
  | 'key_expired'
  | 'frame_slow'
  | 'frame_blocked'
  | 'frame_isolated';

/**
 * Whether a retry can help: `never` without a change by a developer or administrator, `person` when the viewer retries (for
 * example after signing in), `auto` after a delay.
 */
export type EmbedErrorRetry = 'never' | 'person' | 'auto';

/** Whether trying again can help, by kind. */
const retryByKind: Readonly<Record<EmbedErrorKind, EmbedErrorRetry>> = {
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
};

/** The codes of what only the browser can see. */
export type BrowserErrorCode =
  /** The browser is certain that there is no network. */
  | 'offline'
  /** Nothing responds at the endpoint, or the browser does not let the page read the response. */
  | 'backend_unreachable'
  /** The backend did not respond within ten seconds. */
  | 'backend_timeout'
  /** The response is not a key. */
  | 'backend_invalid_response'
  /** The host's `headers` function threw or rejected. */
  | 'headers_failed'
  /** The backend names a tenant address that no portal can have. */
  | 'invalid_tenant_url'
  /** The key has expired, and the refresh policy leaves it to the host to renew it. */
  | 'key_expired'
  /** The frame did not load in time. */
  | 'frame_slow'
  /** The page's Content-Security-Policy does not allow the tenant's origin in frames. */
  | 'frame_blocked'
  /** The page is cross-origin isolated, and the portal does not allow that in this browser. */
  | 'frame_isolated'
  /** The report was removed before its refresh ended. Only `refresh()` rejects with it. */
  | 'refresh_aborted';

/** Stable code of what went wrong: those of the key endpoint, and those that only a browser can see. */
export type EmbedErrorCode =
  | ProblemCode
  | BrowserErrorCode
  // `http_<status>` for an answer without a problem document; and a newer backend may know more codes than this version.
  | (string & {});

/** The backend's table as a type: its value would bring texts for operators into every page. */
type BackendKinds = { readonly [TCode in ProblemCode]: (typeof problemCodes)[TCode]['kind'] };

/** The backend's codes that need a row: the others name their kind, or are outages, which every unknown code counts as. */
type ListedCode = {
  [TCode in ProblemCode]: BackendKinds[TCode] extends TCode | 'backend_unreachable' ? never : TCode;
}[ProblemCode];

const kindByCode: Pick<BackendKinds, ListedCode> & { readonly invalid_tenant_url: EmbedErrorKind } = {
  invalid_request: 'misconfigured',
  invalid_item_id: 'misconfigured',
  invalid_tenant_url: 'misconfigured',
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

/** What a status says to a viewer when no backend of ours has answered. */
const kindByStatus: Readonly<Record<number, EmbedErrorKind>> = { 401: 'signed_out', 429: 'rate_limited' };

const has = <TTable extends object>(table: TTable, name: PropertyKey): name is keyof TTable =>
  Object.hasOwn(table, name);

/**
 * What an error means to a viewer, and whether trying again can help. A status without one of our own codes is an outage,
 * whatever it is: a proxy, a firewall or another framework answered in the backend's place.
 */
export const classifyError = (
  code: string,
  status: number | undefined,
): { readonly kind: EmbedErrorKind; readonly retry: EmbedErrorRetry } => {
  const kind = has(kindByCode, code) ? kindByCode[code] : code;
  if (has(retryByKind, kind)) return { kind, retry: retryByKind[kind] };
  return { kind: kindByStatus[status ?? 0] ?? 'backend_unreachable', retry: 'auto' };
};
