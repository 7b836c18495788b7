import { settingName, settings, type Voice } from './settings.ts';
import { mintPermissions } from './tables.ts';

/** What went wrong, as data. {@link explain} words it where it is shown. It contains no secret, key or URL query. */
export interface Failure {
  /** Row of the table of advice; an unknown one has no advice. */
  readonly code: string;
  /** The setting that is at fault. */
  readonly setting?: string | undefined;
  /** What was seen. */
  readonly found?: string | undefined;
  /** Which part of a larger thing it is about: a permission, a header, a proxy. */
  readonly part?: string | undefined;
  readonly cause?: unknown;
}

interface Advice {
  /** What happened, if the code says it all. */
  readonly what?: string;
  /** What to check or to change. */
  readonly check?: string;
}

const later = 'Try again later; if this continues, contact the operator of the portal.';
const permissions = mintPermissions.join(' and ');
const header =
  'a proxy may drop the header {part}, as many do with a dot in a name, or the portal expects another name; see {tenantIdHeader}.';
const doctor =
  'run `vitrine doctor --item` with the item ID, which checks tenancy name, passphrase and report one by one';
const roles = 'Compare {roleNames} with the codes of the RLS roles in the portal.';
const sharing = 'Share the report with the user or one of their roles in the portal, and compare {itemId}.';
const user = 'Check in the portal that the user exists and is active: compare {userId} and {roleNames}.';
const orPermission = `If this does not help, check that the API key has the permissions ${permissions} in this tenant.`;
const keepVerification = 'Do not turn verification off.';
const check = (text: string): Advice => ({ check: text });

/**
 * Every failure: what happened, and what to check. `{found}`, `{part}` and `{setting}` are facts of the failure; any other
 * name in braces is a setting.
 */
export const advice = {
  // A setting.
  bad_option: { what: '{setting} cannot be used: {found}.' },
  missing_setting: { what: '{setting} is missing.', check: 'Set it.' },
  invalid_url: {
    what: '{setting} is not valid: {found}.',
    check:
      'Use an absolute https URL without credentials, a query or a fragment; http is only for loopback hosts and names under .test.',
  },
  report_address: {
    what: '{setting} is the address of one report ({found}).',
    check: 'Use the address of the tenant, without /report and the item ID.',
  },
  endpoint_address: {
    what: '{setting} contains the path of the endpoint ({found}).',
    check: 'Use the address before /api/services.',
  },
  quoted_value: {
    what: '{setting} is in quotation marks, which some .env parsers keep.',
    check: 'Remove them.',
  },
  invalid_tenant_id: {
    what: '{setting} must be the ID of the tenant, a positive whole number such as 101; it is {found}.',
  },
  invalid_tenancy_name: {
    what: '{setting} must be the subdomain name of the tenant, such as "acme": letters, digits, dashes and underscores, at most 63; it is {found}.',
  },
  invalid_header_name: {
    what: '{setting} must be the name of an HTTP header.',
    check: 'Omit it to use "Svc.TenantId".',
  },
  used_header_name: {
    what: '{setting} is "{found}", which the request uses for something else.',
    check: 'Choose another name, such as "X-Tenant-Id".',
  },
  invalid_api_key: { what: '{setting} {found}.', check: 'Pass the API key of the tenant.' },
  invalid_pass_phrase: { what: '{setting} {found}.', check: 'Pass the passphrase of the tenant.' },
  too_many_secrets: {
    what: '{setting} lists {found} secrets.',
    check: 'Pass one, or the new and the old one during a rotation (at most 4).',
  },

  // The portal refuses a key.
  tenant_header_lost: check(`The portal does not receive the tenant: ${header}`),
  permission_missing: check(`The API key needs the permissions ${permissions} in this tenant.`),
  permission_named: check(
    `The API key needs the permissions ${permissions} in this tenant. The portal names {part}.`,
  ),
  permission_or_gateway: check(
    `The API key needs the permissions ${permissions} in this tenant. If it has them, a firewall or gateway in front of the portal may block this machine: allow its IP address there.`,
  ),
  item_unknown: check('Check {itemId}: the tenant has no such report.'),
  api_key_wrong: check(
    'Check the API key in the portal, and that it belongs to the tenant of {tenantId}. If it has expired, create a new one.',
  ),
  api_key_or_header: check(
    `Check the API key and that it belongs to the tenant of {tenantId}. If both are right, ${header}`,
  ),
  api_key_or_gateway: check(
    'Check the API key and that it belongs to the tenant of {tenantId}. If both are right, a gateway in front of the portal may require a sign-in: allow this machine there.',
  ),
  ip_address_blocked: check('Ask the operator of the portal to allow the IP address of this machine.'),
  operator_only: check("Contact the portal's operator: no setting of this backend can fix this."),
  expiration_refused: check(
    'The portal does not accept the expiry of the key. Shorten {keyLifetime}, and compare the clocks of both machines (NTP).',
  ),
  roles_refused: check(roles),
  roles_or_permission: check(`${roles} ${orPermission}`),
  report_not_shared: check(sharing),
  report_or_permission: check(`${sharing} ${orPermission}`),
  passphrase_wrong: check('Copy the passphrase of the tenant from the portal again.'),
  tenancy_name_wrong: check(
    'Compare {tenancyName} with the subdomain of the tenant, and {tenantId} with its ID.',
  ),
  user_refused: check(user),
  user_or_permission: check(`${user} ${orPermission}`),
  viewer_or_header: check(`Compare {roleNames} and {userId} with the portal. If they are right, ${header}`),
  reason_given: check(`Ask the operator of the portal about its message. If this does not help, ${doctor}.`),
  reason_missing: check(`The portal does not say why it refused: ${doctor}. If all are right, ${header}`),
  paused: check(
    'Wait. If this continues, ask the operator of the portal why it limits or rejects requests for this {part}.',
  ),

  // Something responds, but not the portal's API.
  rate_limited: check(
    'The portal limits requests. Wait {found}; if this continues, ask the operator of the portal for a higher limit.',
  ),
  maintenance: check(
    'The portal is down or under maintenance. Try again in {found}, as its Retry-After header says.',
  ),
  portal_down: check(`The portal is down or under maintenance. ${later}`),
  portal_failed: check(`The portal failed. Nothing points to a mistake in this configuration. ${later}`),
  portal_failed_or_header: check(
    `The portal failed. Nothing points to a mistake in this configuration. ${later} If it has never created a key for this host, ${header}`,
  ),
  gateway_unreachable: check(`A gateway responds, but it cannot reach the portal behind it. ${later}`),
  gateway_timeout: check(`A gateway responds, but the portal behind it is too slow. ${later}`),
  gateway_sign_in: check(
    'A gateway in front of the portal requires a sign-in. Check {apiBaseUrl}, and ask the operator of the gateway to allow this machine.',
  ),
  gateway_block: check(
    'A firewall or gateway in front of the portal blocks this machine. Ask its operator to allow the IP address of this machine.',
  ),
  network_sign_in: check(
    'The network of this machine requires a sign-in before it allows requests. Sign in there, or ask the operator of the network to allow this machine.',
  ),
  unsupported_method: check(
    'The service at {apiBaseUrl} cannot create keys. Compare host and path with the portal, and ask its operator for the version.',
  ),
  rejected_in_front: check(
    'Something in front of the portal rejects the request. Check {apiBaseUrl}, with https:// if that port uses TLS; if a gateway requires a client certificate, set cert and key in {tls}.',
  ),
  wrong_address: check(
    'Check {apiBaseUrl}: the service there is not the portal API. Compare host and path with the portal.',
  ),
  web_page: check(
    'The response is a web page, such as a sign-in page, and not from the portal API. Check {apiBaseUrl}.',
  ),
  sign_in_page: check(
    'The portal requires a sign-in, as for an API key that it does not know. Check the API key and that it belongs to the tenant of {tenantId}. If both are right, a gateway in front of the portal may require the sign-in: allow this machine there.',
  ),
  redirect: check(
    'Set {apiBaseUrl} to the final address of the portal API: redirects are not followed, because they would send the secrets elsewhere.',
  ),
  no_key: check(
    'The portal reported success but sent no usable key. Compare the versions of the portal and of Vitrine, and contact the operator of the portal.',
  ),
  too_large: check(
    'Check {apiBaseUrl}: the service there sends far more than a key, so it is not the portal API.',
  ),
  headers_too_large: check(
    'The headers of the response are larger than 16 KB. Ask the operator of the portal, or of a gateway in front of it, to send fewer or smaller ones, such as cookies.',
  ),
  unasked_continue: check(
    'The portal, or a gateway in front of it, sends "100 Continue" to requests that do not ask for it, which undici does not support. Ask its operator to turn that off.',
  ),
  length_mismatch: check(
    'The length of the response differs from its header Content-Length. Ask the operator of the portal, or of a gateway in front of it, to fix that.',
  ),
  http2_only: check(
    'The service at {apiBaseUrl} offers only HTTP/2. Ask its operator to allow HTTP/1.1 for this address.',
  ),
  not_http: check(
    'The service at {apiBaseUrl} is not using HTTP. Compare the port, and the scheme: https or http.',
  ),
  not_http_behind_proxy: check(
    'The proxy {part}, or the service at {apiBaseUrl} behind it, is not using HTTP. Compare both ports.',
  ),

  // No response.
  proxy_credentials_missing: check(
    'Ask the operator of your network for its proxy, and set HTTPS_PROXY to http://user:password@host:port.',
  ),
  proxy_credentials: check(
    'The proxy {part} requires a user name and password, or rejects the ones it received: set them in HTTPS_PROXY as http://user:password@host:port.',
  ),
  proxy_not_tls: check('The proxy {part} is not using TLS: use http:// for its address in HTTPS_PROXY.'),
  proxy_certificate_host: check(
    'The TLS certificate of the proxy {part} belongs to another host. Compare the host in HTTPS_PROXY; do not turn verification off.',
  ),
  proxy_certificate_early: check(
    'The TLS certificate of the proxy {part} is not valid yet: check the clock of this machine, then ask the operator of the proxy.',
  ),
  proxy_certificate_expired: check(
    'The TLS certificate of the proxy {part} has expired: ask its operator to renew it, and check the clock of this machine.',
  ),
  proxy_certificate_untrusted: check(
    `The TLS certificate of the proxy {part} is not trusted. Add its authority to NODE_EXTRA_CA_CERTS or to the option {tls}.ca. ${keepVerification}`,
  ),
  proxy_cannot_reach: check(
    'The proxy {part} cannot reach the host of {apiBaseUrl}. Compare that host; if it is right, ask the operator of the proxy.',
  ),
  proxy_refuses: check(
    'The proxy {part} does not connect to the host of {apiBaseUrl}. Allow the host in the proxy, or add it to NO_PROXY.',
  ),
  proxy_failed: check(
    'Requests go through the proxy {part}. Check that it is running and that this machine may use it, or add the host of {apiBaseUrl} to NO_PROXY.',
  ),
  not_tls_behind_proxy: check(
    'The service behind the proxy {part} is not using TLS. Compare the scheme and port in HTTPS_PROXY, then those of {apiBaseUrl}.',
  ),
  not_tls: check('The service at {apiBaseUrl} is not using TLS. Compare its scheme and port: https or http.'),
  old_tls: check(
    'The service at {apiBaseUrl} does not offer TLS 1.2 or newer. Ask the operator of the portal to update it.',
  ),
  tls_alert: check(
    'The portal rejected the TLS handshake. If it requires a client certificate, set the right cert and key in {tls}.',
  ),
  certificate_host: check(
    'The TLS certificate at {apiBaseUrl} belongs to another host. Compare the host of {apiBaseUrl}; do not turn verification off.',
  ),
  certificate_early: check(
    'The TLS certificate at {apiBaseUrl} is not valid yet: check the clock of this machine, then ask the operator of the portal.',
  ),
  certificate_expired: check(
    'The TLS certificate at {apiBaseUrl} has expired: ask the operator of the portal to renew it, and check the clock of this machine.',
  ),
  certificate_chain: check(
    `The TLS certificate at {apiBaseUrl} cannot be verified: the service does not send its intermediate certificate, or its authority is not trusted. Ask the operator of the portal to install the whole chain, or add the authority to NODE_EXTRA_CA_CERTS or to the option {tls}.ca; a proxy that inspects TLS has its own authority. ${keepVerification}`,
  ),
  certificate_untrusted: check(
    `The TLS certificate at {apiBaseUrl} is not trusted. Add its authority to NODE_EXTRA_CA_CERTS or to the option {tls}.ca; a proxy that inspects TLS has its own authority. ${keepVerification}`,
  ),
  closed_early: check(
    'The other side closed the connection before the end of its response. Check that the portal and {part} are running; if that port uses TLS, use https:// in {apiBaseUrl}; if the portal requires a client certificate, set cert and key in {tls}.',
  ),
  unfinished: check(
    'The portal begins a response and does not finish it. Ask the operator of the portal, or of {part}, why it stops.',
  ),
  no_response: check(
    'Check that the portal is running and that firewalls allow this machine to connect to it. If https addresses need a proxy in this network, set HTTPS_PROXY.',
  ),
  host_unknown: check(
    'The host name of {apiBaseUrl} cannot be resolved. If https addresses need a proxy in this network, set HTTPS_PROXY.',
  ),
  refused_connection: check(
    'Nothing listens at {apiBaseUrl}. Check that the portal is running, and compare host and port.',
  ),
  no_connection: check(
    'Check that the portal is running and that this machine may connect to {apiBaseUrl}. If https addresses need a proxy in this network, set HTTPS_PROXY.',
  ),

  // A call of the administration API.
  call_too_large: check('Request smaller pages, or raise {maxResponseBytes}.'),
  call_not_tls: check('The server at {baseUrl} is not using TLS: use http:// in {baseUrl}, or another port.'),
  call_not_json: check('A proxy or a sign-in page may have responded: check {baseUrl}.'),
  call_redirect: check('Redirects are not followed: set {baseUrl} to the final address.'),
  call_proxy: check(
    'Check the proxy {part} from the environment, then {baseUrl} and TLS. List hosts that need no proxy in NO_PROXY.',
  ),
  call_network: check('Check {baseUrl}, DNS, TLS, the proxy and the network in between.'),
  call_timeout: check('Raise {timeoutMs}, or check why the portal is slow.'),
  call_invalid: check('Correct the fields named in validationErrors.'),
  call_unauthorized: check('Check the API key: the portal does not accept it.'),
  call_forbidden: check('Give the API key the permission this call needs.'),
  call_not_found: check('Check the ID, the tenant and {baseUrl}.'),
  call_conflict: check('The resource already exists, or its state does not allow this: read it again.'),
  call_rate_limited: check('Send fewer requests, or set {requestsPerSecond}.'),
  call_business: check('The portal itself refused this; a retry will not help.'),
  call_server: check('The portal failed; try again later.'),
} as const satisfies Readonly<Record<string, Advice>>;

/** Code of a {@link Failure} that has advice. */
export type AdviceCode = keyof typeof advice;

/** Fills a sentence with the facts of a failure and the names of settings. */
export const fillSentence = (
  text: string,
  { setting, found, part }: Partial<Failure>,
  voice: Voice,
  names?: Readonly<Record<string, string>>,
): string => {
  const facts: Readonly<Record<string, string | undefined>> = { found, part };
  // Text of others may contain braces too: what is unknown stays.
  return text.replaceAll(/\{(\w+)\}/g, (braces, name: string) => {
    if (name === 'setting' && setting !== undefined) {
      const known = settingName(setting, voice, names);
      return voice === 'option' ? `Option "${known}"` : known;
    }
    return facts[name] ?? (Object.hasOwn(settings, name) ? settingName(name, voice, names) : braces);
  });
};

/**
 * Words a failure for the place where it is shown: what happened, then what to check; either may be empty. `names` has
 * other names of settings, where more is known about them.
 *
 * @example
 * ```ts
 * import { explain } from '@vitrine/contract/service';
 *
 * explain({ code: 'roles_refused' }, 'flag').check; // 'Compare --role with the codes of the RLS roles in the portal.'
 * ```
 */
export const explain = (
  failure: Failure,
  voice: Voice,
  names?: Readonly<Record<string, string>>,
): { readonly what: string; readonly check: string } => {
  const row: Advice = Object.hasOwn(advice, failure.code) ? advice[failure.code as AdviceCode] : {}; // checked above
  return {
    what: fillSentence(row.what ?? '', failure, voice, names),
    check: fillSentence(row.check ?? '', failure, voice, names),
  };
};
