import { mintPermissions } from './resources.ts';
import { settingName, settings, type Voice } from './settings.ts';

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
  /** What would be right. */
  readonly expected?: string | undefined;
  /** A second row of the table of advice: what else the same response may mean. */
  readonly also?: string | undefined;
  readonly cause?: unknown;
}

const later = 'Try again later; if this continues, contact the operator of the portal.';
const permissions = mintPermissions.join(' and ');
const header =
  'a proxy may drop the header {part}, as many do with a dot in a name (nginx: ignore_invalid_headers off), or the portal expects another name: see {tenantIdHeader}.';
const doctor =
  'run `vitrine doctor --item` with the item ID, which checks tenancy name, passphrase and report one by one';
const tenancy = 'Compare {tenancyName} with the subdomain of the tenant, and {tenantId} with its ID.';
const keepVerification = 'Do not turn verification off.';
const proxyVariable = 'If https addresses need a proxy in this network, set HTTPS_PROXY.';

/**
 * What is wrong with a setting, and what would be right. `{found}`, `{part}`, `{expected}` and `{setting}` are facts of
 * the failure; any other name in braces is a setting.
 */
export const mistakes = {
  missing_options: '{part} needs an object with options; it is {found}. The options are {expected}.',
  unknown_option: '{part} has no option {found}. Use {expected}.',
  invalid_option: '{setting} is {found}. Pass {expected}.',
  bad_option: '{setting} cannot be used: {found}.',
  invalid_url:
    '{setting} is {found}. Use an absolute https URL as text, without credentials, a query or a fragment; http is only for loopback hosts and names under .test.',
  report_address:
    '{setting} is the address of one report ({found}). Use the address of the tenant, without /report and the item ID.',
  endpoint_address:
    '{setting} contains the path of an endpoint ({found}). Remove it: it is added to each call. A gateway needs a stage of another name.',
  quoted_value: '{setting} is in quotation marks, which some .env parsers keep. Remove them.',
  invalid_tenant_id:
    '{setting} must be the ID of the tenant, a positive whole number such as 101; it is {found}.',
  invalid_tenancy_name:
    '{setting} must be the subdomain name of the tenant, such as "acme": letters, digits, dashes and underscores, at most 63; it is {found}.',
  invalid_header_name:
    '{setting} must be the name of an HTTP header; it is {found}. Omit it to use "Svc.TenantId".',
  invalid_secret: '{setting} {found}. Pass the {expected} of the tenant.',
  too_many_secrets:
    '{setting} lists {found} secrets. Pass one, or the new and the old one during a rotation (at most 4).',
  own_limit: "This host's limit {part} is reached: {found}.",
} as const satisfies Readonly<Record<string, string>>;

/** What to check or to change after a failed call. */
export const checks = {
  // The portal refuses a key.
  tenant_header_lost: `The portal does not receive the tenant: ${header}`,
  permission_missing: `The API key needs the permissions ${permissions} in this tenant.`,
  item_unknown:
    'Check {itemId}: the tenant has no such report. It is the number in the portal, not the GUID.',
  api_key_wrong:
    'Check {apiKey} in the portal, and that it belongs to the tenant of {tenantId}. If it has expired, create a new one.',
  ip_address_blocked: 'Ask the operator of the portal to allow the IP address of this machine.',
  operator_only: "Contact the portal's operator: no setting of this backend can fix this.",
  expiration_refused:
    'The portal does not accept the expiry of the key. Shorten {keyLifetime}, and compare the clocks of both machines (NTP).',
  roles_refused:
    'Compare {roleNames} with the codes of the RLS roles in the portal: the report may require one.',
  report_not_shared:
    'Share the report with the user or one of their roles in the portal, and compare {itemId}.',
  passphrase_wrong: 'Copy the passphrase of the tenant from the portal again, and compare {passPhrase}.',
  tenancy_name_wrong: tenancy,
  user_refused: 'Check in the portal that the user exists and is active: compare {userId} and {roleNames}.',
  tenant_id_wrong: 'Compare {tenantId} with the ID of the tenant in the portal.',
  viewer_refused:
    'Compare {roleNames} and {userId} with the portal. A report with row-level security may require a role.',
  reason_given: `Ask the operator of the portal about its message. If this does not help, ${doctor}.`,
  reason_missing: `The portal does not say why it refused: ${doctor}.`,
  operator_or_sharing:
    'Ask the operator of the portal about its message. If this does not help, share the report of {itemId} with the user or one of their roles.',
  reason_for_all: `The portal sends its own message, also with another passphrase and tenancy name: ask its operator. If this does not help, tenancy name or passphrase may be wrong. ${tenancy} Then copy the passphrase again.`,
  no_reason: `${tenancy} Then copy the passphrase again. If both are right, check that the report of {itemId} exists and is shared with the user.`,

  // What else the same response may mean.
  or_permission: `If this does not help, check that the API key has the permissions ${permissions} in this tenant.`,
  or_header: `If all of this is right, ${header}`,
  or_header_unproven: `If all of this is right, the portal may not receive the header {part}: without it, the response is the same. A${header.slice(1)}`,
  or_proxy:
    'Requests go through the proxy {part}: if all of this is right, check it too. A proxy whose address in HTTPS_PROXY begins with https:// needs a certificate that is trusted.',
  or_gateway:
    'If all of this is right, a firewall or gateway in front of the portal may block this machine or require a sign-in: allow the IP address of this machine there.',

  // Something responds, but not the portal's API.
  rate_limited:
    'The portal limits requests. Wait {found}; if this continues, ask the operator of the portal for a higher limit.',
  own_limit: 'If the load is legitimate, raise {part}.',
  maintenance:
    'The portal is down or under maintenance. Try again in {found}, as its Retry-After header says.',
  portal_down: `The portal is down or under maintenance. ${later}`,
  portal_failed: `The portal failed. Nothing points to a mistake in this configuration. ${later}`,
  gateway_unreachable: `A gateway responds, but it cannot reach the portal behind it. ${later}`,
  gateway_timeout: `A gateway responds, but the portal behind it is too slow. ${later}`,
  gateway_sign_in:
    'A gateway in front of the portal requires a sign-in. Check {apiBaseUrl}, and ask the operator of the gateway to allow this machine.',
  gateway_block:
    'A firewall or gateway in front of the portal blocks this machine. Ask its operator to allow the IP address of this machine.',
  network_sign_in:
    'The network of this machine requires a sign-in before it allows requests. Sign in there, or ask the operator of the network to allow this machine.',
  unsupported_method:
    'The service at {apiBaseUrl} cannot create keys. Compare host and path with the portal, and ask its operator for the version.',
  rejected_in_front:
    'Something in front of the portal rejects the request. Check {apiBaseUrl}, with https:// if that port uses TLS; if a gateway requires a client certificate, set {dispatcher} to one that sends it.',
  wrong_address:
    'Check {apiBaseUrl}: the service there is not the portal API. Compare host and path with the portal.',
  wrong_path:
    'The portal API responds without the path of {apiBaseUrl}, and not with it: remove {part} from the address.',
  web_page:
    'The response is a web page, such as a sign-in page, and not from the portal API. Check {apiBaseUrl}.',
  sign_in_page:
    'The portal requires a sign-in, as for an API key that it does not know. Check {apiKey}, and that it belongs to the tenant of {tenantId}. If both are right, a gateway in front of the portal may require the sign-in: allow this machine there.',
  redirect:
    'Set {apiBaseUrl} to the final address of the portal API: redirects are not followed, because they would send the secrets elsewhere.',
  no_key:
    'The portal reported success but sent no usable key. Compare the versions of the portal and of Vitrine, and contact the operator of the portal.',
  too_large: 'Check {apiBaseUrl}: the service there sends far more than a key, so it is not the portal API.',
  headers_too_large:
    'The headers of the response are larger than 16 KB. Ask the operator of the portal, or of a gateway in front of it, to send fewer or smaller ones, such as cookies.',
  length_mismatch:
    'The length of the response differs from its header Content-Length. Ask the operator of the portal, or of a gateway in front of it, to fix that.',
  http2_only: 'The service at {apiBaseUrl} offers only HTTP/2. Ask its operator to allow HTTP/1.1 there.',
  not_http: 'The service at {apiBaseUrl} is not using HTTP. Compare the port, and the scheme: https or http.',

  // No response.
  proxy_credentials_missing:
    'Ask the operator of your network for its proxy, and set HTTPS_PROXY to http://user:password@host:port.',
  proxy_credentials:
    'The proxy {part} requires a user name and password, or rejects the ones it received: set them in HTTPS_PROXY as http://user:password@host:port.',
  proxy_cannot_reach:
    'The proxy {part} cannot reach the host of {apiBaseUrl}. Compare that host; if it is right, ask the operator of the proxy.',
  proxy_refuses:
    'The proxy {part} does not connect to the host of {apiBaseUrl}. Allow the host in the proxy, or add it to NO_PROXY.',
  proxy_failed:
    'Requests go through the proxy {part}. Check that it is running and that this machine may use it, or add the host of {apiBaseUrl} to NO_PROXY.',
  not_tls: 'The service at {apiBaseUrl} is not using TLS. Compare its scheme and port: https or http.',
  old_tls: 'The service at {apiBaseUrl} does not offer TLS 1.2 or newer. Ask its operator to update it.',
  tls_alert:
    'The portal rejected the TLS handshake. If it requires a client certificate, set {dispatcher} to one that sends the right one.',
  certificate_host:
    'The TLS certificate at {apiBaseUrl} belongs to another host. Compare the host of {apiBaseUrl}; do not turn verification off.',
  certificate_early:
    'The TLS certificate at {apiBaseUrl} is not valid yet: check the clock of this machine, then ask the operator of the portal.',
  certificate_expired:
    'The TLS certificate at {apiBaseUrl} has expired: ask the operator of the portal to renew it, and check the clock of this machine.',
  certificate_chain: `The TLS certificate at {apiBaseUrl} cannot be verified: the service does not send its intermediate certificate, or its authority is not trusted. Ask the operator of the portal to install the whole chain, or add the authority to NODE_EXTRA_CA_CERTS; a proxy that inspects TLS has its own authority. ${keepVerification}`,
  certificate_untrusted: `The TLS certificate at {apiBaseUrl} is not trusted. Add its authority to NODE_EXTRA_CA_CERTS; a proxy that inspects TLS has its own authority. ${keepVerification}`,
  closed_early:
    'The other side closed the connection before the end of its response. Check that the portal, and a gateway in front of it, are running; if that port uses TLS, use https:// in {apiBaseUrl}; if the portal requires a client certificate, set {dispatcher} to one that sends it.',
  unfinished:
    'The portal begins a response and does not finish it. Ask the operator of the portal, or of a gateway in front of it, why it stops.',
  host_unknown: `The host name of {apiBaseUrl} cannot be resolved: check its spelling, and the DNS server of this machine. ${proxyVariable}`,
  refused_connection:
    'Nothing listens at {apiBaseUrl}. Check that the portal is running, and compare host and port.',
  no_connection: `Check that the portal is running and that firewalls allow this machine to connect to {apiBaseUrl}. ${proxyVariable}`,

  // A call of the administration API.
  call_too_large: 'Request smaller pages, or raise {maxResponseBytes}.',
  unknown_shape:
    'The body is {found}. Check that {baseUrl} is the address of the administration API; if it is, return the body in a usual shape with {adapt}.',
  call_timeout: 'Raise {timeoutMs}, or check why the portal is slow.',
  call_invalid: 'Correct the fields named in validationErrors.',
  call_unauthorized: 'Check the API key: the portal does not accept it.',
  call_forbidden: 'Give the API key the permission this call needs.',
  call_not_found: 'Check the ID, the tenant and {baseUrl}.',
  call_conflict: 'The resource already exists, or its state does not allow this: read it again.',
  call_business: 'The portal itself refused this; a retry will not help.',
  call_server: 'The portal failed; try again later.',
} as const satisfies Readonly<Record<string, string>>;

/** Code of a {@link Failure} that has advice. */
export type AdviceCode = keyof typeof mistakes | keyof typeof checks;

/** Fills a sentence with the facts of a failure and the names of settings. */
export const fillSentence = (
  text: string,
  { setting, found, part, expected }: Partial<Failure>,
  voice: Voice,
  names?: Readonly<Record<string, string>>,
): string => {
  const facts: Readonly<Record<string, string | undefined>> = { found, part, expected };
  // Text of others may contain braces too: what is unknown stays.
  return text.replaceAll(/\{(\w+)\}/g, (braces, name: string) => {
    if (name === 'setting' && setting !== undefined) {
      const known = settingName(setting, voice, names);
      return voice === 'option' ? `Option "${known}"` : known;
    }
    // A failed call of the administration API went to the other address.
    const own = name === 'apiBaseUrl' && setting === 'baseUrl' ? setting : name;
    return facts[name] ?? (Object.hasOwn(settings, own) ? settingName(own, voice, names) : braces);
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
  const sentence = (table: Readonly<Record<string, string>>, code: string): string =>
    Object.hasOwn(table, code) ? fillSentence(table[code] ?? '', failure, voice, names) : '';
  const { code, also = '' } = failure;
  return {
    what: sentence(mistakes, code),
    check: `${sentence(checks, code)} ${sentence(checks, also)}`.trim(),
  };
};
