import { requestMarkerHeader } from '@vitrine/contract';

/** A request whose headers are read by their lower-case names. */
export interface WithHeaders {
  header(name: string): string | undefined;
}

/** Why a request is rejected, and what the operator can change. */
export interface SiteProblem {
  readonly problem: string;
  readonly hint: string;
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': ':80', 'https:': ':443' };

/** Always false for an opaque origin, even if the request has no host. Some proxies add the default port to `Host`. */
const isAt = (host: string | undefined, origin: string): boolean => {
  const url = URL.parse(origin);
  if (url === null || url.host === '') return false;
  return host === url.host || (url.port === '' && host === `${url.host}${defaultPorts[url.protocol]}`);
};

const allowOrigin = 'If the page is yours, add its origin to the option allowedOrigins.';

/** Formats a header for a message: short, and on one line. */
const quoted = (header: string | undefined): string =>
  header === undefined ? 'is missing' : `is "${header.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)}"`;

/**
 * Describes why another site may have made a request, or returns nothing when it did not.
 *
 * Current browsers send `Sec-Fetch-Site` to trustworthy origins, and no page can forge it. For plain http and older
 * browsers, `Origin` decides.
 */
export const checkSite = (
  request: WithHeaders,
  allowedOrigins: ReadonlySet<string>,
): SiteProblem | undefined => {
  const origin = request.header('origin');
  if (origin !== undefined && allowedOrigins.has(origin)) return undefined;
  const site = request.header('sec-fetch-site');
  if (site !== undefined)
    return site === 'same-origin'
      ? undefined
      : { problem: `the header Sec-Fetch-Site ${quoted(site)}, not "same-origin"`, hint: allowOrigin };
  const host = request.header('host');
  if (origin === undefined || isAt(host, origin)) return undefined;
  return {
    problem: `the header Origin ${quoted(origin)} but the header Host ${quoted(host)}`,
    hint: `Let your reverse proxy forward the header Host (nginx: proxy_set_header Host $http_host). ${allowOrigin}`,
  };
};

/**
 * Describes a missing marker header, or returns nothing. Setting it across origins needs a preflight, which we never
 * grant, so it protects even if a browser sends neither `Sec-Fetch-Site` nor `Origin`.
 */
export const checkMarker = (request: WithHeaders): SiteProblem | undefined =>
  request.header(requestMarkerHeader) === undefined
    ? {
        problem: `the header ${requestMarkerHeader}: 1 is missing; @vitrine/react always sends it`,
        hint: 'Add the header to your own requests, and let proxies forward it.',
      }
    : undefined;
