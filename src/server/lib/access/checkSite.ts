import { requestMarkerHeader } from '@vitrine/contract';

/** What has headers, read by their lower-case names. */
export interface WithHeaders {
  header(name: string): string | undefined;
}

/** Never for an opaque origin, not even where the request names no host. */
const isAt = (host: string | undefined, origin: string): boolean =>
  URL.canParse(origin) && new URL(origin).host === host;

/**
 * Says why a request may have been made by another site, or nothing when it was not.
 *
 * Every browser of today sends `Sec-Fetch-Site` to trustworthy origins, and no page can forge it; `Origin` is the
 * answer for plain http and older browsers.
 */
export const checkSite = (request: WithHeaders, allowedOrigins: ReadonlySet<string>): string | undefined => {
  const origin = request.header('origin');
  if (origin === undefined || !allowedOrigins.has(origin)) {
    const site = request.header('sec-fetch-site');
    if (site !== undefined) {
      if (site !== 'same-origin') return `Sec-Fetch-Site says that it did not come from the same origin`;
    } else if (origin !== undefined && !isAt(request.header('host'), origin))
      return 'its Origin is not the host that it was sent to';
  }
  return undefined;
};

/**
 * Says that a request lacks the marker header, or nothing. The header cannot be set across origins without a
 * preflight, which we never grant, so it holds where a browser sends neither `Sec-Fetch-Site` nor `Origin`.
 */
export const checkMarker = (request: WithHeaders): string | undefined =>
  request.header(requestMarkerHeader) === undefined
    ? `it lacks the header ${requestMarkerHeader}: 1, which @vitrine/react always sends`
    : undefined;
