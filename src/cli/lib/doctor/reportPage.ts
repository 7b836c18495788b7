import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { reportUrl } from '@vitrine/contract';
import { explain } from '@vitrine/contract/service';
import { connectionAdvice, createSecretMask, isSignInRedirect } from '@vitrine/portal-client';
import { type Check, type CheckResult, type DoctorOptions, failed, ok, skipped, warning } from './check.ts';
import type { Examined } from './diagnose.ts';

/** What a visit of the report page showed. */
interface PageVisit extends Examined {
  readonly result: CheckResult;
  /** The report, if it opened. */
  readonly page?: IncomingMessage;
  /** For what the page sends: it has received the key. */
  readonly mask: (text: string) => string;
}

const isProxied = ({ created, error }: Examined): boolean => (created ?? error)?.stats?.proxy !== undefined;

/** Opens the report page with the key or, without one, only connects to its host. */
export const openPage = async (seen: Examined): Promise<PageVisit> => {
  const { connection, options, created } = seen;
  const { tenantUrl, apiKey, passPhrase } = connection;
  const { itemId } = options;
  const { host } = new URL(tenantUrl);
  const secrets = [...apiKey, ...passPhrase].map((secret) => secret.reveal());
  const mask = createSecretMask(created === undefined ? secrets : [created.key, ...secrets]);
  const visit = { ...seen, mask };
  if (isProxied(seen))
    return { ...visit, result: skipped('not checked: browsers do not use the proxy of this machine') };
  const hasKey = created !== undefined && itemId !== undefined;
  try {
    const url = new URL(hasKey ? reportUrl(tenantUrl, itemId, created.key) : tenantUrl);
    const page = await probe(url, options);
    if (itemId === undefined)
      return {
        ...visit,
        result: {
          ...skipped(`${host} responds; whether with reports is not checked`),
          next: 'Add --item with the number of a report, to open it.',
        },
      };
    if (!hasKey) return { ...visit, result: skipped(`no key to open a report with; ${host} responds`) };
    const result = checkPage(page, new URL(tenantUrl));
    return result.status === 'ok' ? { ...visit, result, page } : { ...visit, result };
  } catch (thrown) {
    // As every error of node:http; its message may quote an address.
    const { name, code: reason = 'UNKNOWN' } = thrown as NodeJS.ErrnoException;
    const code = name === 'AbortError' ? 'TIMEOUT' : reason;
    const { check } = explain({ code: connectionAdvice(code), part: host }, 'variable', {
      apiBaseUrl: 'VITRINE_TENANT_URL',
    });
    const next = `${check} The browsers of your viewers must reach it too.`;
    return { ...visit, result: failed(`no response from ${host} (${code})`, next) };
  }
};

const isLocalName = (hostname: string): boolean => /(?:^|\.)localhost$/.test(hostname);

/** Sends one GET and reads the headers of the response. Does not follow redirects. */
const probe = async (url: URL, { signal, timeoutMs }: DoctorOptions): Promise<IncomingMessage> => {
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    agent: false,
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
    maxHeaderSize: 65_536,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    headers: { host: url.host, accept: 'text/html', 'sec-fetch-dest': 'iframe' },
    // Names under `.localhost` are this machine (RFC 6761), but many resolvers do not know them.
    ...(isLocalName(url.hostname) && { hostname: '127.0.0.1' }),
  });
  // Also after the response, when its rest is dropped.
  request.on('error', () => undefined).end();
  // The event has one argument.
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response.destroy();
};

/** Finds the administration API at VITRINE_BASE_URL: without a key, it lists or refuses. */
const findAdministration = async (request: Examined): Promise<CheckResult> => {
  const { VITRINE_BASE_URL: baseUrl = '' } = request.options.env;
  if (baseUrl === '' || isProxied(request)) return skipped('needs VITRINE_BASE_URL, and no proxy');
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/v1/items`);
  const seen = await probe(url, request.options).then(
    ({ statusCode }) => `status ${statusCode}`,
    ({ code }: NodeJS.ErrnoException) => String(code ?? 'TIMEOUT'),
  );
  return /^status (?:200|401|403)$/.test(seen)
    ? ok(`found at ${url.host}`)
    : failed(`no list of items at ${url.host}${url.pathname} (${seen})`, 'Check VITRINE_BASE_URL.');
};

const sameTenant =
  'Check that VITRINE_TENANT_URL, VITRINE_TENANCY_NAME and VITRINE_TENANT_ID belong to the same tenant.';

const signIn = `${sameTenant} If they do, a gateway or firewall in front of the reports blocks this machine: allow it and your viewers.`;
const brokenPage =
  'The portal created the key but cannot show the report. Try again later; if this continues, contact the operator of the portal.';

/** What to do about the status of the report page: the first row that matches. */
const statusAdvice: readonly (readonly [status: RegExp, next: string])[] = [
  [/^40[13]|^3\d\d to a sign-in/, signIn],
  [/^3/, 'Set VITRINE_TENANT_URL to the final address of the reports: it redirects to another.'],
  [/^511/, explain({ code: 'network_sign_in' }, 'variable').check],
  [/^5/, brokenPage],
  [/^(?!200)/, sameTenant],
];

const checkPage = ({ statusCode, headers }: IncomingMessage, { host, origin }: URL): CheckResult => {
  const status = `${statusCode}${isSignInRedirect(headers.location, origin) ? ' to a sign-in' : ''}`;
  const [, next] = statusAdvice.find(([pattern]) => pattern.test(status)) ?? [];
  if (next !== undefined) return failed(`${host} responds with status ${status}`, next);
  return headers['content-type']?.includes('text/html') === true
    ? ok(`opens at ${host}`)
    : failed(`the response of ${host} is not a web page`, 'Check VITRINE_TENANT_URL.');
};

/** Addresses inside a network: RFC 1918, 6598 and 3927; unique local and link-local ones of IPv6. */
const privateAddress =
  /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^f[cd]..:|^fe[89ab].:/i;

/** The address of a host, and who can reach it; undefined for a host that cannot be resolved. */
const addressOf = async (hostname: string) => {
  const name = isLocalName(hostname) ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, '');
  const { address } = await lookup(name).catch(() => ({ address: '' }));
  if (address === '') return undefined;
  const isLoopback = /^127\.|^::1$/.test(address);
  const kind = isLoopback ? 'loopback' : privateAddress.test(address) ? 'private' : 'public';
  return { kind, text: `${hostname} has the ${kind} address ${address}` };
};

/** Checks that the report pages of a public application are not at a private address: browsers block such frames. */
export const checkPrivateAddress = async (tenantUrl: string, origin?: string): Promise<CheckResult> => {
  if (origin === undefined) return skipped('no application given (--origin)');
  const [{ hostname }, app] = [new URL(tenantUrl), new URL(origin).hostname];
  const [reports, host] = [await addressOf(hostname), await addressOf(app)];
  if (reports === undefined || host === undefined)
    return skipped(`unknown: ${reports === undefined ? hostname : app} does not resolve`);
  if (reports.kind === 'public' || host.kind !== 'public') return ok(reports.text);
  return (reports.kind === 'loopback' ? warning : failed)(
    `${reports.text}, and ${app} is public`,
    'Browsers block or ask before a public page opens a frame at such an address, and viewers elsewhere cannot reach it. Give the report pages a public address, or show the application only where they can be reached.',
  );
};

/** The sources of `frame-ancestors` in each policy: a page may have several policies, and all apply. */
const ancestorsOf = (policies: string): readonly (readonly string[])[] =>
  policies.split(',').flatMap((policy) => {
    const [, sources] = /(?:^|;)\s*frame-ancestors(?![\w-])([^;]*)/i.exec(policy) ?? [];
    return sources === undefined ? [] : [sources.split(/\s+/).filter((source) => source !== '')];
  });

const allows = (sources: readonly string[], origin: URL): boolean =>
  sources.some((source) => {
    if (source === '*' || source.toLowerCase() === origin.protocol) return true;
    const text = source.includes('://') ? source : `${origin.protocol}//${source}`;
    const url = URL.parse(text.replace('://*.', '://any.').replace(/:\*$/, ''));
    if (url?.protocol !== origin.protocol) return false;
    if (!text.endsWith(':*') && url.port !== origin.port) return false;
    return text.includes('://*.')
      ? origin.hostname.endsWith(url.hostname.slice('any'.length))
      : origin.hostname === url.hostname;
  });

const framingAdvice = "Ask the portal's administrator to add your application's origin to frame-ancestors.";

const checkAncestors = (sources: readonly string[], { options, mask }: PageVisit): CheckResult => {
  const { origin } = options;
  if (sources.length === 0 || sources.includes("'none'"))
    return failed("frame-ancestors is 'none'", framingAdvice);
  if (origin !== undefined)
    return allows(sources, new URL(origin))
      ? ok(`${origin} may frame it`)
      : failed(`frame-ancestors does not list ${origin}: ${mask(sources.join(' '))}`, framingAdvice);
  return sources.includes('*')
    ? ok('every page may frame it')
    : warning(
        `frame-ancestors is ${mask(sources.join(' '))}`,
        'To check whether your application is included, add --origin https://app.example.com',
      );
};

const checkFraming = (visit: PageVisit): CheckResult => {
  const { page } = visit;
  if (page === undefined) return skipped('no page to check');
  const policies = ancestorsOf(String(page.headers['content-security-policy']));
  const old = String(page.headers['x-frame-options']);
  // Browsers ignore X-Frame-Options if there is a frame-ancestors directive.
  if (policies.length === 0 && /\b(?:deny|sameorigin)\b/i.test(old))
    return failed(`X-Frame-Options is ${old.toUpperCase()}`, framingAdvice);
  const results = policies.map((sources) => checkAncestors(sources, visit));
  const find = (wanted: CheckResult['status']) => results.find(({ status }) => status === wanted);
  return find('failed') ?? find('warning') ?? results[0] ?? ok('every page may frame it');
};

/** Browsers send a cookie in a frame of another site only with these. */
const cookieAttributes = ['SameSite=None', 'Secure', 'Partitioned'];

const checkCookies = ({ page, mask }: PageVisit): CheckResult => {
  if (page === undefined) return skipped('no page to check');
  const cookies = page.headers['set-cookie'] ?? [];
  const incomplete = cookies.flatMap((cookie) => {
    const isMissing = (attribute: string) => !new RegExp(`;\\s*${attribute}\\s*(;|$)`, 'i').test(cookie);
    const [name = '', missing] = [cookie.split('=', 1)[0], cookieAttributes.filter(isMissing)];
    return missing.length === 0 ? [] : [`${mask(name)} without ${missing.join(', ')}`];
  });
  if (incomplete.length === 0) return ok(cookies.length === 0 ? 'the page sets none' : 'sent in a frame too');
  return warning(
    `the page sets ${incomplete.join('; ')}`,
    'Browsers do not send such a cookie in a frame of another site: a report that needs it fails there. Ask the portal to set SameSite=None; Secure; Partitioned.',
  );
};

/** The checks of one visit of the report page. */
export const pageChecks: readonly Check<PageVisit>[] = [
  ['administration', 'Administration API', findAdministration],
  [
    'private_address',
    'Private address',
    ({ connection, options }) => checkPrivateAddress(connection.tenantUrl, options.origin),
  ],
  ['report_page', 'Report page', ({ result }) => result],
  ['framing', 'Framing', checkFraming],
  ['cookies', 'Cookies', checkCookies],
];
