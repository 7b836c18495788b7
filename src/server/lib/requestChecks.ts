import { actionsPath, itemsPath, keysPath, requestMarkerHeader, webhookPath } from '@vitrine/contract';
import { KeyRequestError, type ProblemFields } from './problems.ts';

/** A route of the mount. */
export type Route = 'keys' | 'items' | 'actions' | 'webhook';

const routes: Readonly<Record<string, Route>> = {
  [keysPath]: 'keys',
  [itemsPath]: 'items',
  [actionsPath]: 'actions',
};
/** Lenient, because the URL is typed into the portal by hand and the portal never resends a webhook. */
const webhook = new RegExp(`^/*${webhookPath}/*$`, 'i');

/**
 * Finds the route of a path without its query. Frameworks that strip the mount path pass `/keys`; others pass the whole
 * path, which must then start with the endpoint. Some redirect to a path with a trailing slash.
 */
export const matchRoute = (path: string, endpoint: string): Route | undefined => {
  const rest = endpoint !== '' && path.startsWith(`${endpoint}/`) ? path.slice(endpoint.length) : path;
  if (webhook.test(rest)) return 'webhook';
  const plain = rest.replace(/(?<=.)\/$/, '');
  return Object.hasOwn(routes, plain) ? routes[plain] : undefined;
};

/** A route that browsers call. */
export type PageRoute = Exclude<Route, 'webhook'>;

const methods = { keys: 'POST', items: 'GET', actions: 'GET' } as const;

const crossSite = (problem: string, hint: string): KeyRequestError =>
  new KeyRequestError(
    { code: 'cross_site_request', detail: `Request rejected: ${problem}.` },
    { origin: 'request', problem, hint },
  );

const defaultPorts: Readonly<Record<string, string>> = { 'http:': ':80', 'https:': ':443' };

/** A host name in capital letters or with a final dot is the same host. */
const plainHost = (host: string): string => host.toLowerCase().replace(/\.(?=:\d*$|$)/, '');

/** Whether an origin is that of a host. False for an opaque origin. Some proxies add the default port to `Host`. */
const isAt = (host: string, origin: string): boolean => {
  const url = URL.parse(origin);
  const defaultPort = defaultPorts[url?.protocol ?? ''];
  if (url === null || defaultPort === undefined) return false;
  const [own, given] = [plainHost(url.host), plainHost(host)];
  return given === own || (url.port === '' && given === `${own}${defaultPort}`);
};

const allowOrigin = 'If the page is yours, add its origin to the option allowedOrigins.';

/** Formats a header for a message: short, and on one line. */
const quoted = (header: string): string => `"${header.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)}"`;

/**
 * Rejects a request that another site may have made. Current browsers send `Sec-Fetch-Site` to trustworthy origins, and
 * no page can forge it. For plain http and older browsers, `Origin` decides.
 */
const checkSite = ({ headers, url }: Request, allowedOrigins: ReadonlySet<string>): void => {
  const origin = headers.get('origin');
  if (origin !== null && allowedOrigins.has(origin)) return;
  const site = headers.get('sec-fetch-site');
  if (site === 'same-origin') return;
  if (site !== null)
    throw crossSite(`the header Sec-Fetch-Site is ${quoted(site)}, not "same-origin"`, allowOrigin);
  const host = headers.get('host') ?? new URL(url).host;
  if (origin === null || isAt(host, origin)) return;
  throw crossSite(
    `the header Origin is ${quoted(origin)} but the header Host is ${quoted(host)}`,
    `Let your reverse proxy forward the header Host (nginx: proxy_set_header Host $http_host). ${allowOrigin}`,
  );
};

/**
 * Rejects a request without the marker header. Setting it across origins needs a preflight, which we never grant, so it
 * protects even if a browser sends neither `Sec-Fetch-Site` nor `Origin`.
 */
const checkMarker = ({ headers }: Request): void => {
  if (headers.get(requestMarkerHeader) === null)
    throw crossSite(
      `the header ${requestMarkerHeader}: 1 is missing; @vitrine/react always sends it`,
      'Add the header to your own requests, and let proxies forward it.',
    );
};

const jsonType = /^application\/json\s*(;|$)/i;

/** Checks what a request shows before its body: method, site, marker and type. `EventSource` can send no marker. */
export const checkRequest = (
  request: Request,
  route: PageRoute,
  allowedOrigins: ReadonlySet<string>,
): void => {
  const refuse = (fields: ProblemFields): never => {
    throw new KeyRequestError(fields, { origin: 'request' });
  };
  const allow = methods[route];
  if (request.method !== allow)
    refuse({ code: 'method_not_allowed', allow, detail: `Use the method ${allow}.` });
  checkSite(request, allowedOrigins);
  if (route !== 'actions') checkMarker(request);
  if (route === 'keys' && !jsonType.test(request.headers.get('content-type') ?? ''))
    refuse({ code: 'unsupported_media_type', detail: 'The Content-Type must be application/json.' });
};
