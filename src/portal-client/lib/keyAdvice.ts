import type { AdviceCode, Failure } from '@vitrine/contract/service';
import type { PortalConnection } from './connection.ts';
import type { PortalErrorDetails, PortalErrorKind } from './errors.ts';
import { hasReason, redirects, signInCode } from './refusals.ts';

type Connection = Pick<PortalConnection, 'apiBaseUrl' | 'tenantIdHeader'>;

/** Advice for operators after a failure to create a key; undefined if no request was sent or the caller left. */
export const keyAdvice = (failure: PortalErrorDetails, connection: Connection): Failure | undefined => {
  const { kind, stats: { body } = {} } = failure;
  if (kind === 'aborted') return undefined;
  if (kind === 'network' || kind === 'timeout') return afterSilence(failure);
  // A page, or a sentence that is not JSON, comes from something in front of the portal.
  const isForeign =
    ['rate_limited', 'server', 'invalid_response'].includes(kind) ||
    body === 'html' ||
    body === 'text' ||
    (body === 'empty' && kind === 'invalid');
  return isForeign
    ? afterForeignResponse(failure, connection.tenantIdHeader)
    : afterRefusal(failure, connection);
};

const viewerParts: ReadonlySet<AdviceCode> = new Set(['roles_refused', 'report_not_shared', 'user_refused']);

/** The portal itself has refused. Its message takes precedence over the status. */
const afterRefusal = (failure: PortalErrorDetails, { tenantIdHeader }: Connection): Failure => {
  const { kind, part: about, said } = failure;
  if (kind === 'not_found') return { code: 'item_unknown' };
  // Both portals and gateways respond to 401 and 403 with an empty body or bare JSON.
  const isEnvelope = failure.stats?.body === 'envelope';
  if (about === 'permission_missing' || (about === undefined && kind === 'forbidden'))
    return { code: 'permission_missing', ...(!isEnvelope && { also: 'or_gateway' }) };
  if (kind === 'invalid' && about === 'report_not_shared') return { code: 'item_unknown' };
  const part = tenantIdHeader;
  if (about !== undefined) {
    // If the API key lacks permissions, the portal's message may still be about the viewer.
    const isPermission = kind === 'forbidden' && viewerParts.has(about);
    return { code: about, part, ...(isPermission && { also: 'or_permission' }) };
  }
  const also = isEnvelope ? 'or_header' : 'or_gateway';
  if (kind === 'unauthorized') return { code: 'api_key_wrong', also, part };
  if (kind === 'invalid') return { code: 'viewer_refused', also: 'or_header', part };
  return hasReason(said) ? { code: 'reason_given' } : { code: 'reason_missing', also: 'or_header', part };
};

const statusCodes: Readonly<Record<number, AdviceCode>> = {
  401: 'gateway_sign_in',
  403: 'gateway_block',
  404: 'wrong_address',
  407: 'proxy_credentials_missing',
  501: 'unsupported_method',
  502: 'gateway_unreachable',
  503: 'portal_down',
  504: 'gateway_timeout',
  511: 'network_sign_in',
};

const responseCodes: Readonly<Record<string, AdviceCode>> = {
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'length_mismatch',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_BUFFER_TOO_LARGE: 'too_large',
};

const describePause = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000);
  if (seconds <= 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
};

/** The response is not the portal's own, or gives no reason. */
const afterForeignResponse = (
  { kind, code = '', stats }: PortalErrorDetails,
  tenantIdHeader?: string,
): Failure => {
  const { status = 0, body, retryAfterMs, proxy } = stats ?? {};
  const found = retryAfterMs === undefined ? 'a minute' : describePause(retryAfterMs);
  if (kind === 'rate_limited') return { code: 'rate_limited', found };
  if (status === 503 && retryAfterMs !== undefined) return { code: 'maintenance', found };
  const known = responseCodes[code];
  if (known !== undefined) return { code: known };
  if (code.startsWith('HPE_')) return withProxy('not_http', proxy);
  if (status >= 200 && status < 300) {
    if (code === 'no_key' && body === 'envelope') return { code: 'no_key' };
    return { code: body === 'html' ? 'web_page' : 'wrong_address' };
  }
  if (code === signInCode) return { code: 'sign_in_page' };
  if (redirects.has(status)) return { code: 'redirect' };
  const byStatus = statusCodes[status];
  if (byStatus !== undefined) return { code: byStatus };
  if (status >= 500)
    // Without its tenant header, a portal may fail instead of refusing. A web page comes from a gateway.
    return { code: 'portal_failed', ...(body !== 'html' && { also: 'or_header', part: tenantIdHeader }) };
  return { code: status >= 400 ? 'rejected_in_front' : 'wrong_address' };
};

/** By the code of the failed connection, in this order. */
const connectionCodes: readonly (readonly [RegExp, AdviceCode])[] = [
  [/^PROXY_407$/, 'proxy_credentials'],
  [/^PROXY_50[234]$/, 'proxy_cannot_reach'],
  [/^PROXY_\d+$/, 'proxy_refuses'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'certificate_host'],
  [/^(?:ERR_SSL_WRONG_VERSION_NUMBER|EPROTO)$/, 'not_tls'],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, 'old_tls'],
  [/NO_APPLICATION_PROTOCOL/, 'http2_only'],
  [/^ERR_SSL_[\w/]*ALERT_/, 'tls_alert'],
  [/^CERT_NOT_YET_VALID$/, 'certificate_early'],
  [/^CERT_HAS_EXPIRED$/, 'certificate_expired'],
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, 'certificate_chain'],
  [/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|INVALID_(CA|PURPOSE)/, 'certificate_untrusted'],
  [/^(?:UND_ERR_SOCKET|ECONNRESET)$/, 'closed_early'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'host_unknown'],
  [/^ECONNREFUSED$/, 'refused_connection'],
];

/** The row of the table of advice for the code of a failed connection, such as `ECONNREFUSED`. */
export const connectionAdvice = (code: string): AdviceCode =>
  connectionCodes.find(([pattern]) => pattern.test(code))?.[1] ?? 'no_connection';

/** With a proxy, these are about the connection to it. */
const unreached: ReadonlySet<AdviceCode> = new Set(['host_unknown', 'refused_connection', 'no_connection']);

/** What may be about the proxy as well. */
const withProxy = (code: AdviceCode, part: string | undefined): Failure =>
  part === undefined || code.startsWith('proxy_') ? { code, part } : { code, part, also: 'or_proxy' };

/** The connection failed, or no response came. */
const afterSilence = ({ kind, code = '', stats }: PortalErrorDetails): Failure => {
  const part = stats?.proxy;
  if (kind === 'timeout' && stats?.status !== undefined) return withProxy('unfinished', part);
  const known = connectionAdvice(code);
  return part !== undefined && unreached.has(known) ? { code: 'proxy_failed', part } : withProxy(known, part);
};

/** With a web page, these come from something in front of the portal. */
const pageKinds: ReadonlySet<PortalErrorKind> = new Set(['invalid', 'unauthorized', 'forbidden']);

/** Advice about a failed call of the administration API. Some rows of the table have the names of the kinds; some kinds have none. */
export const callAdvice = (failure: PortalErrorDetails): Failure | undefined => {
  const { kind, code = '', stats: { status = 0, body } = {}, validationErrors = [] } = failure;
  const setting = 'baseUrl';
  if (kind === 'network') return { ...afterSilence(failure), setting };
  const isForeign = kind === 'rate_limited' || code === 'not_json' || redirects.has(status);
  if (isForeign || (body === 'html' && pageKinds.has(kind)))
    return { ...afterForeignResponse(failure), setting };
  if (code === 'ERR_BUFFER_TOO_LARGE') return { code: 'call_too_large' };
  if (kind === 'invalid' && validationErrors.length === 0) return undefined;
  return { code: responseCodes[code] ?? `call_${kind}` };
};
