import { type Check, type CheckResult, failed, ok, skipped, warning } from './check.ts';
import type { Examined, Finding, Part } from './diagnose.ts';

type Read = (request: Examined) => CheckResult;

const statsOf = ({ created, error }: Examined) => (created ?? error)?.stats;

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

/** What was seen of a value that the portal must compare. */
const proofOf = ({ created }: Examined): string =>
  created === undefined ? 'not refused, unlike a wrong one' : 'used to create a key';

const readSecret =
  (which: 'apiKey' | 'passPhrase', variable: string): Read =>
  (request) =>
    (statsOf(request)?.secrets?.[which] ?? 0) === 0
      ? ok(proofOf(request))
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

const readPhrase = readSecret('passPhrase', 'VITRINE_PASSPHRASE');

const readHeader: Read = ({ connection }) => ok(`sent in ${connection.tenantIdHeader}, and not refused`);

const readPermissions: Read = ({ created }) =>
  ok(created === undefined ? 'not refused' : 'sufficient to create keys');

/**
 * The checks that one request for a key covers, in dependency order: how each reads it if it got past them, the advice that
 * belongs to it (any other is about the API), and the part that the portal must have checked.
 */
const checks: readonly (readonly [...Check<Examined>, advice?: RegExp, part?: Part])[] = [
  ['proxy', 'Proxy', readProxy, /proxy/],
  ['dns', 'Host name', readName, /^host_unknown$/],
  ['tls', 'Certificate', readCertificate, /^certificate_|^(?:not|old)_tls$/],
  ['http', 'HTTP version', () => ok('HTTP/1.1'), /^http2_only$|^not_http$/],
  ['api', 'Portal API', readApi],
  ['clock', 'Clock', readClock],
  ['tenant_header', 'Tenant ID', readHeader, /^tenant_/, 'apiKey'],
  ['api_key', 'API key', readSecret('apiKey', 'VITRINE_API_KEY'), /^api_key_/, 'apiKey'],
  ['permissions', 'Permissions', readPermissions, /^permission_/, 'apiKey'],
  ['passphrase', 'Passphrase', readPhrase, /^(?:passphrase|quoted)_|^no_reason$/, 'passPhrase'],
  ['tenancy_name', 'Tenancy name', (request) => ok(proofOf(request)), /^tenancy_/, 'tenancyName'],
  ['key', 'Key', readKey, /^(?:item|report|roles|user|viewer|expiration|operator|reason)_/],
];

/** The place of the check that failed. */
const placeOf = ({ code }: Finding): number => {
  const at = checks.findIndex(([, , , advice]) => advice?.test(code));
  return at === -1 ? checks.findIndex(([id]) => id === 'api') : at;
};

/** Reads each check from the request: it failed there, earlier, later, or not at all. */
export const keyChecks: readonly Check<Examined>[] = checks.map(([id, title, read, , part], at) => [
  id,
  title,
  (request) => {
    const { error, finding, unchecked } = request;
    if (finding !== undefined) {
      const place = placeOf(finding);
      if (at === place) return failed(finding.detail, finding.next);
      // Without a response, only the proxy is known.
      if (at > (error?.status === undefined ? 0 : place))
        return skipped('not checked: the request failed earlier');
    }
    return part !== undefined && unchecked.has(part)
      ? skipped('unknown: the portal sends the same response for a wrong one')
      : read(request);
  },
]);
