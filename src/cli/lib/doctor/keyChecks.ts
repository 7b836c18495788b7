import { type Check, type CheckResult, failed, ok, skipped, warning } from './check.ts';
import { type Finding, isPortalAnswer, type KeyRequest } from './diagnose.ts';

/** A request for a key, and what is wrong with it. */
interface Examined extends KeyRequest {
  readonly finding: Finding | undefined;
}
type Read = (request: Examined) => CheckResult;

const statsOf = ({ created, error }: KeyRequest) => (created ?? error)?.stats;

const readProxy: Read = (request) => {
  const { proxy } = statsOf(request) ?? {};
  return ok(proxy ? `requests go through ${proxy}` : 'none for this host: requests go directly');
};

const readName: Read = (request) =>
  statsOf(request)?.proxy === undefined
    ? ok(`${new URL(request.connection.apiBaseUrl).hostname} resolves`)
    : skipped('resolved by the proxy');

const readCertificate: Read = ({ connection }) => {
  const { protocol, host } = new URL(connection.apiBaseUrl);
  return protocol === 'https:' ? ok(`accepted for ${host}`) : skipped('no https address');
};

const readClock: Read = (request) => {
  const skewMs = statsOf(request)?.clockSkewMs;
  if (skewMs === undefined)
    return warning('the portal sends no Date header', 'Compare the clocks of both machines.');
  const seconds = Math.max(1, Math.round(Math.abs(skewMs) / 1000));
  if (seconds <= 30) return ok(`matches the portal within ${seconds} s`);
  return (seconds > 300 ? failed : warning)(
    `the portal's clock is ${seconds} seconds ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`,
    'Keys expire at the wrong time or are refused. Synchronize the clock of this machine (NTP), or ask the operator of the portal to do so.',
  );
};

const readSecret =
  (which: 'apiKey' | 'passPhrase', variable: string): Read =>
  (request) =>
    (statsOf(request)?.secrets?.[which] ?? 0) === 0
      ? ok('accepted')
      : warning(
          `the portal refused ${variable} and accepted ${variable}_PREVIOUS`,
          `Activate the new secret in the portal, or copy it again into ${variable}.`,
        );

const readKey: Read = ({ options: { itemId } }) => {
  if (itemId !== undefined) return ok(`created for report ${itemId}`);
  const next =
    'To continue, run: vitrine doctor --item 1042, and --role with an RLS role if the report requires one';
  return { ...skipped('no report given'), next };
};

const readApi: Read = (seen) => ok(`responds within ${Math.ceil(statsOf(seen)?.durationMs ?? 0)} ms`);

const readHeader: Read = ({ connection }) => ok(`sent in ${connection.tenantIdHeader}, and not refused`);

const readPhrase = readSecret('passPhrase', 'VITRINE_PASSPHRASE');

/**
 * The checks that one request for a key covers, in dependency order, how each reads it if it got past them, and the
 * advice that belongs to it; any other is about the API.
 */
const checks: readonly (readonly [...Check<Examined>, advice?: RegExp])[] = [
  ['proxy', 'Proxy', readProxy, /proxy/],
  ['dns', 'Host name', readName, /^host_unknown$/],
  ['tls', 'Certificate', readCertificate, /^certificate_|^(?:not|old)_tls$/],
  ['http', 'HTTP version', () => ok('HTTP/1.1'), /^http2_only$|^not_http$/],
  ['api', 'Portal API', readApi],
  ['clock', 'Clock', readClock],
  ['tenant_header', 'Tenant ID', readHeader, /^tenant_/],
  ['api_key', 'API key', readSecret('apiKey', 'VITRINE_API_KEY'), /^api_key_/],
  ['permissions', 'Permissions', () => ok('sufficient to create keys'), /^permission_/],
  ['passphrase', 'Passphrase and tenancy name', readPhrase, /^(?:passphrase|tenancy|quoted)_|^no_reason$/],
  ['key', 'Key', readKey, /^(?:item|report|roles|user|viewer|expiration|operator|reason)_/],
];
const order = checks.map(([id]) => id);

/** The place of the check that failed; after all of them if none did. */
const placeOf = ({ code }: Finding): number => {
  const at = checks.findIndex(([, , , advice]) => advice?.test(code));
  return at === -1 && code !== '' ? order.indexOf('api') : at;
};

/** Why a check has no result; undefined if the request got past it. */
const whyNotChecked = (at: number, { error, finding }: Examined): string | undefined => {
  if (error === undefined || finding === undefined) return undefined;
  if ((finding.code !== '' && at > placeOf(finding)) || (error.status === undefined && at > 0)) {
    if (isPortalAnswer(error)) return 'not checked: the portal refused the request earlier';
    return `not checked: the API ${error.status === undefined ? 'did not respond' : `responded with status ${error.status}`}`;
  }
  return finding.isInconclusive && at > order.indexOf('clock') && at < order.indexOf('key')
    ? 'unknown: the portal sends the same response for wrong secrets'
    : undefined;
};

/** Reads each check from the request: it failed there, earlier, later, or not at all. */
export const keyChecks: readonly Check<Examined>[] = checks.map(([id, title, read], at) => [
  id,
  title,
  (request) => {
    const { finding } = request;
    if (finding && placeOf(finding) === at) return failed(finding.detail, finding.next);
    const why = whyNotChecked(at, request);
    return why === undefined ? read(request) : skipped(why);
  },
]);
