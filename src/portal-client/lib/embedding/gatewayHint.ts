import { redirects } from '../dialect/refusal.ts';
import type { CallFailure } from '../errors/portalError.ts';
import type { PortalConnection } from './portalConnection.ts';
import { headerHint } from './refusalHint.ts';

const later = 'Try again later, then contact whoever runs the portal.';
const wrongAddress = 'Check apiBaseUrl: what answers there is not the portal API.';

const byStatus: Readonly<Record<number, string>> = {
  401: 'A gateway in front of the portal asks for a sign-in. Check apiBaseUrl, and ask whoever runs the gateway to let this machine pass.',
  403: 'A firewall or gateway in front of the portal blocks this machine. Ask whoever runs it to allow its IP address.',
  404: 'Check apiBaseUrl: something answers there, but it is not the portal API. Compare host and path with the portal.',
  407: 'A proxy wants a user name and password: write them into HTTPS_PROXY as http://user:password@host:port.',
  501: 'What answers at apiBaseUrl cannot create keys. Compare host and path with the portal, and ask whoever runs it for its version.',
  502: `A gateway answers, but it cannot reach the portal behind it. ${later}`,
  503: `The portal is down or in maintenance. ${later}`,
  504: `A gateway answers, but the portal behind it is too slow. ${later}`,
  511: 'The network of this machine wants a sign-in before it lets requests out. Sign in there, or ask whoever runs the network to let this machine pass.',
};

const describePause = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000);
  if (seconds <= 120) return `${seconds} s`;
  if (seconds > 7 * 86_400) return 'longer than a week';
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
};

/** What to do after an answer that is not the portal's own, or says nothing but that something failed. */
export const gatewayHint = (
  { kind, code, stats }: CallFailure,
  connection: Pick<PortalConnection, 'apiBaseUrl' | 'tenantIdHeader'>,
): string => {
  const { status = 0, body, retryAfterMs, proxy } = stats ?? {};
  const isPlain = connection.apiBaseUrl.startsWith('http:');
  if (kind === 'rate_limited')
    return `The portal limits requests. Wait ${retryAfterMs === undefined ? 'a minute' : describePause(retryAfterMs)}; if it stays, ask whoever runs the portal for a higher limit.`;
  if (status === 503 && retryAfterMs !== undefined)
    return `The portal is down or in maintenance. It asks to wait ${describePause(retryAfterMs)}; try again after that.`;
  if (code === 'UNASKED_CONTINUE')
    return 'The portal, or a gateway in front of it, sends "100 Continue" to requests that do not ask for it, which undici does not read. Ask whoever runs it to switch that off.';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return 'The answer is not as long as its header Content-Length says. Ask whoever runs the portal, or a gateway in front of it, to look into that.';
  if (code?.startsWith('HPE_'))
    return proxy === undefined
      ? `What answers at apiBaseUrl does not speak HTTP. Compare the port${isPlain ? '; if it uses TLS, write https://' : ''}.`
      : `The proxy ${proxy}, or what answers at apiBaseUrl behind it, does not speak HTTP. Compare both ports.`;
  if (code === 'too_large')
    return 'Check apiBaseUrl: what answers there sends far more than a key, so it is not the portal API.';
  if (status >= 200 && status < 300) {
    if (code === 'no_key' && body === 'envelope')
      return 'The portal agreed but sent no usable key. Compare the versions of the portal and of Vitrine, and contact whoever runs the portal.';
    return body === 'html'
      ? 'A web page answers in place of the portal API, such as a sign-in page. Check apiBaseUrl.'
      : wrongAddress;
  }
  if (redirects.has(status))
    return 'Set apiBaseUrl to the address that the portal API really has: redirects are not followed, because they would carry the secrets elsewhere.';
  const known = byStatus[status];
  if (known !== undefined) return known;
  if (status >= 500) {
    // A portal that misses its tenant may fail where it should refuse. A page is a gateway's.
    const header =
      body === 'html' ? '' : ` If it has never created a key for this host, ${headerHint(connection)}`;
    return `The portal failed; nothing in this configuration is known to be wrong. ${later}${header}`;
  }
  return status >= 400
    ? `Something in front of the portal rejects the request. Check apiBaseUrl${isPlain ? ', with https:// if that port uses TLS' : ''}; if a gateway asks for a client certificate, give upstream.tls a cert and key.`
    : wrongAddress;
};
