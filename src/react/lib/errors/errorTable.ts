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

/** One row of the table of errors. */
export interface EmbedErrorRule {
  readonly kind: EmbedErrorKind;
  readonly retry: EmbedErrorRetry;
  /** Whether the backend has decided that this viewer may not see the report. Default false. */
  readonly isFinal?: boolean;
}

type RetryOf = { readonly never: 'never'; readonly user: 'person'; readonly later: 'auto' };

/** The backend's table as a type: its value would bring texts for operators into every page. */
type BackendRules = {
  readonly [TCode in ProblemCode]: {
    readonly kind: (typeof problemCodes)[TCode]['kind'];
    readonly retry: RetryOf[(typeof problemCodes)[TCode]['mayRetry']];
    readonly isFinal?: boolean;
  };
};

const backendRules: BackendRules = {
  invalid_request: { kind: 'misconfigured', retry: 'never' },
  invalid_item_id: { kind: 'misconfigured', retry: 'never' },
  signed_out: { kind: 'signed_out', retry: 'person', isFinal: true },
  cross_site_request: { kind: 'misconfigured', retry: 'never' },
  report_unavailable: { kind: 'report_unavailable', retry: 'person', isFinal: true },
  route_not_found: { kind: 'misconfigured', retry: 'never' },
  method_not_allowed: { kind: 'misconfigured', retry: 'never' },
  request_too_large: { kind: 'misconfigured', retry: 'never' },
  unsupported_media_type: { kind: 'misconfigured', retry: 'never' },
  rate_limited: { kind: 'rate_limited', retry: 'auto' },
  internal_error: { kind: 'backend_unreachable', retry: 'auto' },
  portal_refused: { kind: 'misconfigured', retry: 'never' },
  portal_unreachable: { kind: 'portal_unreachable', retry: 'auto' },
  portal_invalid_response: { kind: 'portal_unreachable', retry: 'auto' },
  overloaded: { kind: 'backend_unreachable', retry: 'auto' },
  portal_unavailable: { kind: 'portal_unreachable', retry: 'auto' },
  portal_timeout: { kind: 'portal_unreachable', retry: 'auto' },
};

/** What only the browser can see. */
const browserRules = {
  /** The browser is certain that there is no network. */
  offline: { kind: 'offline', retry: 'auto' },
  /** Nothing answers at the endpoint, or the browser does not let the page read the answer. */
  backend_unreachable: { kind: 'backend_unreachable', retry: 'auto' },
  /** The backend did not answer within ten seconds. */
  backend_timeout: { kind: 'backend_unreachable', retry: 'auto' },
  /** Something answered that is not a key. */
  backend_invalid_response: { kind: 'backend_unreachable', retry: 'auto' },
  /** The host's `headers` function threw or rejected. */
  headers_failed: { kind: 'backend_unreachable', retry: 'auto' },
  /** The backend names a tenant address that no portal can have. */
  invalid_tenant_url: { kind: 'misconfigured', retry: 'never' },
  /** The key has expired, and the refresh policy leaves it to the host to renew it. */
  key_expired: { kind: 'key_expired', retry: 'person' },
  /** The frame has not loaded in time. */
  frame_slow: { kind: 'frame_slow', retry: 'person' },
  /** The page's Content-Security-Policy does not allow the tenant's origin in frames. */
  frame_blocked: { kind: 'frame_blocked', retry: 'person' },
  /** The page is cross-origin isolated, and the portal does not allow that in this browser. */
  frame_isolated: { kind: 'frame_isolated', retry: 'person' },
  /** The report went away before its refresh was done. Only `refresh()` rejects with it. */
  refresh_aborted: { kind: 'backend_unreachable', retry: 'person' },
} as const satisfies Record<string, EmbedErrorRule>;

const rules: Readonly<Record<ProblemCode | keyof typeof browserRules, EmbedErrorRule>> = {
  ...backendRules,
  ...browserRules,
};

/** Stable code of what went wrong: those of the key endpoint, and those that only a browser can see. */
export type EmbedErrorCode =
  | keyof typeof rules
  // `http_<status>` for an answer without a problem document; and a newer backend may know more codes than this version.
  | (string & {});

/**
 * Returns the rule for a code. A status without one of our own codes is an outage, whatever it is: a proxy, a firewall or
 * another framework answered in the backend's place.
 */
export const errorRule = (code: string, status: number | undefined): EmbedErrorRule => {
  if (Object.hasOwn(rules, code)) return rules[code as keyof typeof rules];
  if (status === 401) return { kind: 'signed_out', retry: 'auto' };
  if (status === 429) return { kind: 'rate_limited', retry: 'auto' };
  return { kind: 'backend_unreachable', retry: 'auto' };
};
