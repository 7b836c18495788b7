import type { CallFailure } from '../errors/portalError.ts';
import type { PortalConnection } from './portalConnection.ts';

const tlsCodes = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|INVALID_(CA|PURPOSE)/;

/** What to do after no connection, or no answer. */
export const networkHint = (
  { kind, code = '', stats }: CallFailure,
  { apiBaseUrl }: Pick<PortalConnection, 'apiBaseUrl'>,
): string => {
  const proxy = stats?.proxy;
  if (code === 'PROXY_407')
    return `The proxy ${proxy} wants a user name and password, or rejects those it got: write them into HTTPS_PROXY as http://user:password@host:port.`;
  if (code === 'PROXY_ERR_SSL_WRONG_VERSION_NUMBER')
    return `The proxy ${proxy} is not using TLS: write http:// in front of its address in HTTPS_PROXY.`;
  if (code === 'PROXY_ERR_TLS_CERT_ALTNAME_INVALID')
    return `The TLS certificate of the proxy ${proxy} belongs to another host. Compare the host in HTTPS_PROXY; do not switch verification off.`;
  if (code === 'PROXY_CERT_HAS_EXPIRED')
    return `The TLS certificate of the proxy ${proxy} has expired: ask whoever runs it to renew it, and check the clock of this machine.`;
  if (code.startsWith('PROXY_') && tlsCodes.test(code))
    return `The TLS certificate of the proxy ${proxy} was not accepted. Name its authority in NODE_EXTRA_CA_CERTS or in the option upstream.tls.ca. Do not switch verification off.`;
  if (/^PROXY_50[234]$/.test(code))
    return `The proxy ${proxy} cannot reach the host of apiBaseUrl. Compare that host; if it is right, ask whoever runs the proxy.`;
  if (/^PROXY_\d+$/.test(code))
    return `The proxy ${proxy} does not connect to the host of apiBaseUrl. Let it through there, or add the host to NO_PROXY.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'The TLS certificate at apiBaseUrl belongs to another host. Compare the host of apiBaseUrl; do not switch verification off.';
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' && proxy !== undefined)
    return `What answers through the proxy ${proxy} is not using TLS. Compare the scheme and port in HTTPS_PROXY, then those of apiBaseUrl.`;
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return 'What answers at apiBaseUrl is not using TLS. Compare its scheme and port: https or http.';
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(code))
    return 'What answers at apiBaseUrl offers no TLS version that is safe today: 1.2 or newer. Ask whoever runs the portal to update it.';
  if (/^ERR_SSL_\w*ALERT_/.test(code))
    return 'The portal rejected the TLS handshake. If it asks for a client certificate, give upstream.tls the right cert and key.';
  if (code === 'CERT_HAS_EXPIRED')
    return 'The TLS certificate at apiBaseUrl has expired: ask whoever runs the portal to renew it, and check the clock of this machine.';
  if (tlsCodes.test(code))
    return 'The TLS certificate at apiBaseUrl was not accepted. Name its authority in NODE_EXTRA_CA_CERTS or in the option upstream.tls.ca; a proxy that inspects TLS has an authority of its own. Do not switch verification off.';
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') {
    const between = proxy === undefined ? 'the gateway in front of it' : `the proxy ${proxy} on the way`;
    const next = apiBaseUrl.startsWith('http:')
      ? 'if that port uses TLS, write https:// into apiBaseUrl.'
      : 'if the portal asks for a client certificate, give upstream.tls a cert and key.';
    return `The other side closed the connection before the end of its answer. Check that the portal and ${between} run; ${next}`;
  }
  if (proxy !== undefined)
    return `Requests go through the proxy ${proxy}. Check that it runs and that this machine may use it, or add the host of apiBaseUrl to NO_PROXY.`;
  if (kind === 'timeout')
    return 'Check that the portal runs and that a firewall lets this machine connect to it. Where only a proxy reaches the outside, set HTTPS_PROXY.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'The host name of apiBaseUrl cannot be resolved. Where only a proxy reaches the outside, set HTTPS_PROXY.';
  if (code === 'ECONNREFUSED')
    return 'Nothing listens there. Check that the portal runs, and compare host and port of apiBaseUrl.';
  return 'Check that the portal runs and that this machine may open connections to apiBaseUrl. Where only a proxy reaches the outside, set HTTPS_PROXY.';
};
