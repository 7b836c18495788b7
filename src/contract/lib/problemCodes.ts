/** Log level of a problem in the host's backend, unless its cause needs another one. */
export type ProblemSeverity = 'error' | 'warn' | 'info';

/** One row of {@link problemCodes}. */
export interface ProblemCodeEntry {
  /** HTTP status of the response. */
  readonly status: number;
  /** Log level. Default: `info` below status 500, else `warn`. */
  readonly severity?: ProblemSeverity;
  /** Kind of message for viewers. Many codes share a kind. */
  readonly kind: string;
  /** Short sentence, the same for every occurrence of the code. Browsers get it. */
  readonly title: string;
  /** The usual cause, for the developer console and `docs/errors.md`. */
  readonly cause: string;
  /** What the operator of the backend should do. Appears only in the log. */
  readonly hint: string;
}

/**
 * The table of problem codes of the key endpoint: one row per code; everything else derives from it.
 *
 * Code for browsers must not import this value, only its types: otherwise the titles and hints end up in the page's
 * bundle.
 */
export const problemCodes = {
  invalid_request: {
    status: 400,
    kind: 'misconfigured',
    title: 'The request is malformed.',
    cause:
      'Something between the page and the backend changes the request, or the two run different versions.',
    hint: 'Compare the versions of @vitrine/react and the backend, or check what else calls the endpoint.',
  },
  invalid_item_id: {
    status: 400,
    kind: 'misconfigured',
    title: 'The item ID is not a positive whole number.',
    cause:
      'itemId has the wrong type or value: a route parameter is a string, and a missing one becomes NaN.',
    hint: 'Pass the item ID as a positive whole number. A route parameter is a string: convert it with Number(id).',
  },
  signed_out: {
    status: 401,
    kind: 'signed_out',
    title: 'Nobody is signed in.',
    cause:
      'The backend option `viewer` returned nothing, often because the request had no session cookie: a backend on another origin needs `credentials="include"` and a cookie with `SameSite=None; Secure`.',
    hint: 'If the viewer is signed in, check that the session cookie or header reaches the key endpoint.',
  },
  cross_site_request: {
    status: 403,
    kind: 'misconfigured',
    severity: 'warn',
    title: 'The request came from another site.',
    cause: "The page's origin differs from the backend's, often because there is no development proxy.",
    hint: 'If the page is yours, add its origin to allowedOrigins.',
  },
  report_unavailable: {
    status: 404,
    kind: 'report_unavailable',
    title: 'The report does not exist, or this viewer may not open it.',
    cause: 'The backend option `canView` did not return true, or the tenant has no item with this ID.',
    hint: 'If the viewer should see the report, check canView() and the item ID.',
  },
  route_not_found: {
    status: 404,
    kind: 'misconfigured',
    title: 'There is no such route.',
    cause:
      'The mount path differs from `endpoint`, or the backend mounts Vitrine with `app.post` instead of `app.use`.',
    hint: 'Compare the endpoint of <EmbedProvider> with the path where the backend mounts Vitrine.',
  },
  method_not_allowed: {
    status: 405,
    kind: 'misconfigured',
    title: 'The method is not allowed.',
    cause: 'A proxy or a redirect turned the POST into a GET.',
    hint: 'Check that nothing between the browser and the backend changes the method of a request.',
  },
  request_too_large: {
    status: 413,
    kind: 'misconfigured',
    title: 'The request body is too large.',
    cause: 'Something other than @vitrine/react calls the endpoint.',
    hint: 'A key request is only a few bytes long: check what else calls the endpoint.',
  },
  unsupported_media_type: {
    status: 415,
    kind: 'misconfigured',
    title: 'The request body must be JSON.',
    cause: 'The `headers` option or a proxy replaces the content type.',
    hint: 'Send the header Content-Type: application/json.',
  },
  rate_limited: {
    status: 429,
    kind: 'rate_limited',
    title: 'Too many requests.',
    cause: 'A component mounts repeatedly, or the limit is lower than the number of reports on a page.',
    hint: 'If the load is legitimate, raise rateLimit, or ask the operator of the portal for a higher limit.',
  },
  internal_error: {
    status: 500,
    kind: 'backend_unreachable',
    severity: 'error',
    title: 'The backend failed.',
    cause: 'A callback of the backend (`viewer`, `canView`) threw an error.',
    hint: 'Look at the error in the log of the backend: one of your callbacks or options caused it.',
  },
  portal_refused: {
    status: 502,
    kind: 'misconfigured',
    severity: 'error',
    title: 'The portal refused to create a key.',
    cause:
      'The API key, the tenant ID or the passphrase of the backend is wrong, or the API key lacks a permission.',
    hint: 'Run `vitrine doctor` on the machine of the backend: it names the setting that the portal does not accept.',
  },
  portal_unreachable: {
    status: 502,
    kind: 'portal_unreachable',
    title: 'The portal cannot be reached.',
    cause: 'DNS, a firewall, a proxy or TLS prevents the backend from connecting to the portal.',
    hint: 'Run `vitrine doctor` on the machine of the backend: it checks DNS, proxy, TLS and the connection.',
  },
  portal_invalid_response: {
    status: 502,
    kind: 'portal_unreachable',
    title: 'The portal sent an invalid response.',
    cause: '`apiBaseUrl` points to another service, or a proxy responds instead of the portal.',
    hint: 'Check apiBaseUrl: a proxy or a sign-in page may be responding instead of the portal.',
  },
  overloaded: {
    status: 503,
    kind: 'backend_unreachable',
    title: 'The backend is busy.',
    cause: 'The portal is slow, and the queue of requests that wait for it is full.',
    hint: 'The portal responds more slowly than requests arrive. See upstream.connections and upstream.maxQueue.',
  },
  portal_unavailable: {
    status: 503,
    kind: 'portal_unreachable',
    title: 'The portal is not available at the moment.',
    cause: 'The portal is restarting, under maintenance or overloaded.',
    hint: 'The portal, or a gateway in front of it, is failing. Try again later; if this continues, contact its operator.',
  },
  portal_timeout: {
    status: 504,
    kind: 'portal_unreachable',
    title: 'The portal did not respond in time.',
    cause: 'The portal is overloaded, or something in between drops packets.',
    hint: 'Check the load of the portal, and the firewall and proxy in between.',
  },
} as const satisfies Record<string, ProblemCodeEntry>;

/** Stable code of a failure between browser and backend. */
export type ProblemCode = keyof typeof problemCodes;

/** Kind of message for viewers. */
export type ProblemKind = (typeof problemCodes)[ProblemCode]['kind'];

/** Whether a text is one of the codes this version knows. */
export const isProblemCode = (value: unknown): value is ProblemCode =>
  typeof value === 'string' && Object.hasOwn(problemCodes, value);

/** Body of every failure between browser and backend: `application/problem+json` (RFC 9457). */
export interface Problem {
  /** URL of the code's explanation in the documentation. */
  readonly type: string;
  /** Short sentence, the same for every occurrence of the code. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What was wrong here, what was seen and what to do. Never a key, a secret or a URL query. */
  readonly detail: string;
  /** Stable code to branch on. Codes of a newer server may be unknown to an older browser. */
  readonly code: ProblemCode | (string & {});
  /** Identifies the request in the operator's log. */
  readonly requestId?: string;
  /** Milliseconds to wait before a retry, if the server knows. */
  readonly retryAfterMs?: number;
}

/** Media type of {@link Problem}. */
export const problemMediaType = 'application/problem+json';
