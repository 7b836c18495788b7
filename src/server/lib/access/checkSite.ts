import { requestMarkerHeader } from '@vitrine/contract';

/** What has headers, read by their lower-case names. */
export interface WithHeaders {
  header(name: string): string | undefined;
}

/** Why a request is rejected, and what the operator can change. */
export interface SiteProblem {
  readonly problem: string;
  readonly hint: string;
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': ':80', 'https:': ':443' };

/** Never for an opaque origin, not even where the request names no host. Some proxies write the default port into `Host`. */
const isAt = (host: string | undefined, origin: string): boolean => {
  const url = URL.parse(origin);
  if (url === null || url.host === '') return false;
  return host === url.host || (url.port === '' && host === `${url.host}${defaultPorts[url.protocol]}`);
};

const allowOrigin = 'If the page is yours, add its origin to the option allowedOrigins.';

/** A header for a message: short, and without anything that could end a line. */
const quoted = (header: string | undefined): string =>
  header === undefined ? 'is missing' : `is "${header.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)}"`;

/**
 * Describes why another site may have made a request, or returns nothing when it did not.
 *
 * Current browsers send `Sec-Fetch-Site` to trustworthy origins, and no page can forge it; `Origin` decides for plain
 * http and older browsers.
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
 * Describes that a request lacks the marker header, or returns nothing. The header cannot be set across origins without a
 * preflight, which we never grant, so it holds where a browser sends neither `Sec-Fetch-Site` nor `Origin`.
 */
export const checkMarker = (request: WithHeaders): SiteProblem | undefined =>
  request.header(requestMarkerHeader) === undefined
    ? {
        problem: `the header ${requestMarkerHeader}: 1 is missing; @vitrine/react always sends it`,
        hint: 'Add the header to your own requests, and let proxies forward it.',
      }
    : undefined;
