import type { CallFailure } from '../errors/portalError.ts';
import type { PortalConnection } from './portalConnection.ts';

const tlsCodes = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|INVALID_(CA|PURPOSE)/;

/** Advice after a failed connection or a missing response. */
export const networkHint = (
  { kind, code = '', stats }: CallFailure,
  { apiBaseUrl }: Pick<PortalConnection, 'apiBaseUrl'>,
): string => {
  const proxy = stats?.proxy;
  const isNotTls = code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO';
  const isPlain = apiBaseUrl.startsWith('http:');
  // Requests to http: URLs never use a proxy.
  const orProxy = isPlain ? '' : ' If this network requires a proxy, set HTTPS_PROXY.';
  if (code === 'PROXY_407')
    return `The proxy ${proxy} requires a user name and password, or rejects the ones it received: set them in HTTPS_PROXY as http://user:password@host:port.`;
  if (code === 'PROXY_ERR_SSL_WRONG_VERSION_NUMBER')
    return `The proxy ${proxy} is not using TLS: use http:// for its address in HTTPS_PROXY.`;
  if (code === 'PROXY_ERR_TLS_CERT_ALTNAME_INVALID')
    return `The TLS certificate of the proxy ${proxy} belongs to another host. Compare the host in HTTPS_PROXY; do not turn verification off.`;
  if (code === 'PROXY_CERT_NOT_YET_VALID')
    return `The TLS certificate of the proxy ${proxy} is not valid yet: check the clock of this machine, then ask the operator of the proxy.`;
  if (code === 'PROXY_CERT_HAS_EXPIRED')
    return `The TLS certificate of the proxy ${proxy} has expired: ask its operator to renew it, and check the clock of this machine.`;
  if (code.startsWith('PROXY_') && tlsCodes.test(code))
    return `The TLS certificate of the proxy ${proxy} is not trusted. Add its authority to NODE_EXTRA_CA_CERTS or to the option upstream.tls.ca. Do not turn verification off.`;
  if (/^PROXY_50[234]$/.test(code))
    return `The proxy ${proxy} cannot reach the host of apiBaseUrl. Compare that host; if it is right, ask the operator of the proxy.`;
  if (/^PROXY_\d+$/.test(code))
    return `The proxy ${proxy} does not connect to the host of apiBaseUrl. Allow the host in the proxy, or add it to NO_PROXY.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'The TLS certificate at apiBaseUrl belongs to another host. Compare the host of apiBaseUrl; do not turn verification off.';
  if (isNotTls && proxy !== undefined)
    return `The service behind the proxy ${proxy} is not using TLS. Compare the scheme and port in HTTPS_PROXY, then those of apiBaseUrl.`;
  if (isNotTls)
    return 'The service at apiBaseUrl is not using TLS. Compare its scheme and port: https or http.';
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(code))
    return 'The service at apiBaseUrl does not offer TLS 1.2 or newer. Ask the operator of the portal to update it.';
  if (/^ERR_SSL_\w*ALERT_/.test(code))
    return 'The portal rejected the TLS handshake. If it requires a client certificate, set the right cert and key in upstream.tls.';
  if (code === 'CERT_NOT_YET_VALID')
    return 'The TLS certificate at apiBaseUrl is not valid yet: check the clock of this machine, then ask the operator of the portal.';
  if (code === 'CERT_HAS_EXPIRED')
    return 'The TLS certificate at apiBaseUrl has expired: ask the operator of the portal to renew it, and check the clock of this machine.';
  if (tlsCodes.test(code))
    return 'The TLS certificate at apiBaseUrl is not trusted. Add its authority to NODE_EXTRA_CA_CERTS or to the option upstream.tls.ca; a proxy that inspects TLS has its own authority. Do not turn verification off.';
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') {
    const between = proxy === undefined ? 'the gateway in front of it' : `the proxy ${proxy} in between`;
    const next = isPlain
      ? 'if that port uses TLS, use https:// in apiBaseUrl.'
      : 'compare the scheme and port of apiBaseUrl; if the portal requires a client certificate, set cert and key in upstream.tls.';
    return `The other side closed the connection before the end of its response. Check that the portal and ${between} are running; ${next}`;
  }
  if (kind === 'timeout' && stats?.status !== undefined)
    return `The portal begins a response and does not finish it. Ask the operator of the portal, or of ${proxy === undefined ? 'a gateway in front of it' : `the proxy ${proxy}`}, why it stops.`;
  if (proxy !== undefined)
    return `Requests go through the proxy ${proxy}. Check that it is running and that this machine may use it, or add the host of apiBaseUrl to NO_PROXY.`;
  if (kind === 'timeout')
    return `Check that the portal is running and that firewalls allow this machine to connect to it.${orProxy}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host name of apiBaseUrl cannot be resolved.${orProxy}`;
  if (code === 'ECONNREFUSED')
    return 'Nothing listens at apiBaseUrl. Check that the portal is running, and compare host and port.';
  return `Check that the portal is running and that this machine may connect to apiBaseUrl.${orProxy}`;
};
