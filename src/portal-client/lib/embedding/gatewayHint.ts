import { signInCode } from '../dialect/isSignInRedirect.ts';
import { redirects } from '../dialect/refusal.ts';
import type { CallFailure } from '../errors/portalError.ts';
import type { PortalConnection } from './portalConnection.ts';
import { headerHint } from './refusalHint.ts';

const later = 'Try again later; if this continues, contact the operator of the portal.';
const wrongAddress = 'Check apiBaseUrl: the service there is not the portal API.';

const byStatus: Readonly<Record<number, string>> = {
  401: 'A gateway in front of the portal requires a sign-in. Check apiBaseUrl, and ask the operator of the gateway to allow this machine.',
  403: 'A firewall or gateway in front of the portal blocks this machine. Ask its operator to allow the IP address of this machine.',
  404: 'Check apiBaseUrl: the service there is not the portal API. Compare host and path with the portal.',
  407: 'Ask the operator of your network for its proxy, and set HTTPS_PROXY to http://user:password@host:port.',
  501: 'The service at apiBaseUrl cannot create keys. Compare host and path with the portal, and ask its operator for the version.',
  502: `A gateway responds, but it cannot reach the portal behind it. ${later}`,
  503: `The portal is down or under maintenance. ${later}`,
  504: `A gateway responds, but the portal behind it is too slow. ${later}`,
  511: 'The network of this machine requires a sign-in before it allows requests. Sign in there, or ask the operator of the network to allow this machine.',
};

const describePause = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000);
  if (seconds <= 120) return `${seconds} s`;
  if (seconds > 7 * 86_400) return 'more than a week';
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
};

/** Advice after a response that is not the portal's own, or gives no reason. */
export const gatewayHint = (
  { kind, code, stats }: CallFailure,
  connection: Pick<PortalConnection, 'apiBaseUrl' | 'tenantIdHeader'>,
): string => {
  const { status = 0, body, retryAfterMs, proxy } = stats ?? {};
  const isPlain = connection.apiBaseUrl.startsWith('http:');
  if (kind === 'rate_limited')
    return `The portal limits requests. Wait ${retryAfterMs === undefined ? 'a minute' : describePause(retryAfterMs)}; if this continues, ask the operator of the portal for a higher limit.`;
  if (status === 503 && retryAfterMs !== undefined)
    return `The portal is down or under maintenance. Try again in ${describePause(retryAfterMs)}, as its Retry-After header says.`;
  if (code === 'UNASKED_CONTINUE')
    return 'The portal, or a gateway in front of it, sends "100 Continue" to requests that do not ask for it, which undici does not support. Ask its operator to turn that off.';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return 'The length of the response differs from its header Content-Length. Ask the operator of the portal, or of a gateway in front of it, to fix that.';
  if (code?.startsWith('HPE_'))
    return proxy === undefined
      ? `The service at apiBaseUrl is not using HTTP. Compare the port${isPlain ? '; if it uses TLS, write https://' : ''}.`
      : `The proxy ${proxy}, or the service at apiBaseUrl behind it, is not using HTTP. Compare both ports.`;
  if (code === 'too_large')
    return 'Check apiBaseUrl: the service there sends far more than a key, so it is not the portal API.';
  if (status >= 200 && status < 300) {
    if (code === 'no_key' && body === 'envelope')
      return 'The portal reported success but sent no usable key. Compare the versions of the portal and of Vitrine, and contact the operator of the portal.';
    return body === 'html'
      ? 'The response is a web page, such as a sign-in page, and not from the portal API. Check apiBaseUrl.'
      : wrongAddress;
  }
  if (code === signInCode)
    return 'The portal requires a sign-in, as for an API key that it does not know. Check the API key and that it belongs to the tenant of tenantId. If both are right, a gateway in front of the portal may require the sign-in: allow this machine there.';
  if (redirects.has(status))
    return 'Set apiBaseUrl to the final address of the portal API: redirects are not followed, because they would send the secrets elsewhere.';
  const known = byStatus[status];
  if (known !== undefined) return known;
  if (status >= 500) {
    // Without its tenant header, a portal may fail instead of refusing. A web page comes from a gateway.
    const header =
      body === 'html' ? '' : ` If it has never created a key for this host, ${headerHint(connection)}`;
    return `The portal failed. Nothing points to a mistake in this configuration. ${later}${header}`;
  }
  return status >= 400
    ? `Something in front of the portal rejects the request. Check apiBaseUrl${isPlain ? ', with https:// if that port uses TLS' : ''}; if a gateway requires a client certificate, set cert and key in upstream.tls.`
    : wrongAddress;
};
