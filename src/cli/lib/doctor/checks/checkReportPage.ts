import { reportUrl } from '@vitrine/contract';
import { isSignInRedirect } from '@vitrine/portal-client';
import { type CheckResult, type DoctorCheck, failed, ok, skipped, warning } from '../doctorCheck.ts';
import { codeOf, probe } from '../probe.ts';

/** Checks that the report page opens with the key. */
export const checkReportPage: DoctorCheck = {
  id: 'report_page',
  title: 'Report page',
  run: async ({ timeoutMs }, evidence) => {
    const { connection, attempt } = evidence;
    if (connection === undefined || attempt === undefined || 'error' in attempt)
      return skipped('no key to open it with');
    const { host } = new URL(connection.tenantUrl);
    if (evidence.unreachable.has(host)) return skipped(`${host} cannot be reached`);
    if (evidence.proxy !== undefined)
      return skipped('not checked: browsers do not use the proxy of this machine');
    try {
      const page = await probe(
        new URL(reportUrl(connection.tenantUrl, attempt.itemId, attempt.created.key)),
        timeoutMs,
      );
      if (page.status >= 300 && page.status < 400)
        return failed(
          `${host} responds with a redirect (status ${page.status})`,
          isSignInRedirect(page.headers['location'], new URL(connection.tenantUrl).origin)
            ? pageAdvice(401)
            : 'Set VITRINE_TENANT_URL to the final address of the reports.',
        );
      if (page.status !== 200)
        return failed(`${host} responds with status ${page.status}`, pageAdvice(page.status));
      const isHtml = (page.headers['content-type'] ?? '').includes('text/html');
      if (!isHtml) return failed(`the response of ${host} is not a web page`, 'Check VITRINE_TENANT_URL.');
      evidence.page = page;
      return ok(`opens at ${host}`);
    } catch (error) {
      return failed(
        `no response from ${host} (${codeOf(error)})`,
        'Check VITRINE_TENANT_URL; the browsers of your viewers must reach it too.',
      );
    }
  },
};

const pageAdvice = (status: number): string => {
  if (status === 401 || status === 403)
    return 'Check that VITRINE_TENANT_URL, VITRINE_TENANCY_NAME and VITRINE_TENANT_ID belong to the same tenant. If they do, a gateway or firewall in front of the reports blocks this machine: allow it and your viewers.';
  if (status === 511)
    return 'The network of this machine requires a sign-in before it allows requests. Sign in there, and run the doctor again.';
  return status >= 500
    ? 'The portal created the key but cannot show the report. Try again later; if this continues, contact the operator of the portal.'
    : 'Check that VITRINE_TENANT_URL and VITRINE_TENANCY_NAME belong to the same tenant.';
};

/** The sources of `frame-ancestors` in each policy: a page may have several policies, and all apply. */
const ancestorsOf = (policies = ''): readonly (readonly string[])[] =>
  policies.split(',').flatMap((policy) => {
    const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
    const sources = directives.find(([name]) => name?.toLowerCase() === 'frame-ancestors')?.slice(1);
    return sources === undefined ? [] : [sources];
  });

/** Whether X-Frame-Options prevents other origins from framing this page: browsers ignore unknown words. */
const isBlockedByOptions = (header: string): boolean => {
  const words = new Set(header.split(',').map((word) => word.trim().toLowerCase()));
  const [first = ''] = words;
  const isKnown = ['deny', 'sameorigin', 'allowall'].some((word) => words.has(word));
  return words.size > 1 ? isKnown : first === 'deny' || first === 'sameorigin';
};

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const portOf = (protocol: string, port: string | undefined): string | undefined =>
  port || defaultPorts[protocol];

const allows = (sources: readonly string[], origin: URL): boolean =>
  sources.some((source) => {
    if (source === '*') return true;
    if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return source.toLowerCase() === origin.protocol;
    const [, scheme, wild, host, port] =
      /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*\.)?([^/:*]+)(?::(\d+|\*))?/i.exec(source) ?? [];
    if (host === undefined || (scheme !== undefined && scheme.toLowerCase() !== origin.protocol))
      return false;
    const name = host.toLowerCase();
    const isHost = wild === undefined ? origin.hostname === name : origin.hostname.endsWith(`.${name}`);
    return isHost && (port === '*' || portOf(origin.protocol, port) === portOf(origin.protocol, origin.port));
  });

const next = "Ask the portal's administrator to add your application's origin to frame-ancestors.";

const checkAncestors = (sources: readonly string[], origin: string | undefined): CheckResult => {
  if (sources.length === 0 || sources.includes("'none'")) return failed("frame-ancestors is 'none'", next);
  if (origin !== undefined)
    return allows(sources, new URL(origin))
      ? ok(`${origin} may frame it`)
      : failed(`frame-ancestors does not list ${origin}: ${sources.join(' ')}`, next);
  if (sources.every((source) => source === "'self'")) return failed("frame-ancestors is only 'self'", next);
  return sources.includes('*')
    ? ok('every page may frame it')
    : warning(
        `frame-ancestors is ${sources.join(' ')}`,
        'To check whether your application is included, add --origin https://app.example.com',
      );
};

/** Checks that the host's pages may show the report in a frame. */
export const checkFraming: DoctorCheck = {
  id: 'framing',
  title: 'Framing',
  run: ({ origin }, { page }) => {
    if (page === undefined) return skipped('no page to check');
    const policies = ancestorsOf(page.headers['content-security-policy']);
    const old = page.headers['x-frame-options'];
    // Browsers ignore X-Frame-Options if there is a frame-ancestors directive.
    if (policies.length === 0)
      return old !== undefined && isBlockedByOptions(old)
        ? failed(`X-Frame-Options is ${old.toUpperCase()}`, next)
        : ok('every page may frame it');
    const results = policies.map((sources) => checkAncestors(sources, origin));
    const worst =
      results.find(({ status }) => status === 'failed') ?? results.find(({ status }) => status === 'warning');
    return worst ?? results[0] ?? ok('every page may frame it');
  },
};

const cookieAttributes = ['SameSite=None', 'Secure', 'Partitioned'];

/** Checks that browsers send the cookies of the page in a frame of another site. */
export const checkCookies: DoctorCheck = {
  id: 'cookies',
  title: 'Cookies',
  run: (_options, { page }) => {
    if (page === undefined) return skipped('no page to check');
    // The date of `Expires` has a comma too.
    const cookies = page.headers['set-cookie']?.split(/, (?=[^;,\s]+=)/) ?? [];
    const incomplete = cookies.flatMap((cookie) => {
      const [pair = '', ...given] = cookie.split(';').map((part) => part.trim());
      const missing = cookieAttributes.filter(
        (attribute) => !given.some((one) => one.toLowerCase() === attribute.toLowerCase()),
      );
      return missing.length === 0 ? [] : [`${pair.split('=', 1)[0]} without ${missing.join(', ')}`];
    });
    if (incomplete.length === 0)
      return ok(cookies.length === 0 ? 'the page sets none' : 'sent in a frame too');
    return warning(
      `the page sets ${incomplete.join('; ')}`,
      'Browsers do not send such a cookie in a frame of another site: a report that needs it fails there. Ask the portal to set SameSite=None; Secure; Partitioned.',
    );
  },
};
