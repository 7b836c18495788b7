import { mintPermissions } from '@vitrine/contract';
import type { PortalErrorDetails } from '../errors/portalError.ts';

const tlsCodes = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/;

/** What is not the portal's own answer comes from something in front of it. */
const isFromGateway = ({ stats }: PortalErrorDetails): boolean =>
  stats?.body !== undefined && stats.body !== 'envelope' && stats.body !== 'json';

const networkHint = ({ code = '', stats }: PortalErrorDetails): string => {
  const proxy = stats?.proxy;
  if (code === 'PROXY_407')
    return `The proxy ${proxy} wants a user name and password: write them into HTTPS_PROXY as http://user:password@host:port.`;
  if (code.startsWith('PROXY_'))
    return `The proxy ${proxy} does not connect to the host of apiBaseUrl. Let it through there, or add the host to NO_PROXY.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'The TLS certificate at apiBaseUrl belongs to another host. Compare the host of apiBaseUrl; do not switch verification off.';
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return 'What answers at apiBaseUrl is not using TLS. Compare its scheme and port: https or http.';
  if (/^ERR_SSL_\w*ALERT_/.test(code))
    return 'The portal rejected the TLS handshake. If it asks for a client certificate, give upstream.tls the right cert and key.';
  if (tlsCodes.test(code))
    return 'The TLS certificate at apiBaseUrl was not accepted. Name its authority in NODE_EXTRA_CA_CERTS or in the option upstream.tls.ca; a proxy that inspects TLS has an authority of its own. Do not switch verification off.';
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') {
    const between = proxy === undefined ? 'the gateway in front of it' : `the proxy ${proxy} on the way`;
    return `The other side closed the connection without an answer. Check that the portal and ${between} run; if the portal asks for a client certificate, give upstream.tls a cert and key.`;
  }
  if (proxy !== undefined)
    return `Requests go through the proxy ${proxy}. Check that it runs and that this machine may use it, or add the host of apiBaseUrl to NO_PROXY.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'The host name of apiBaseUrl cannot be resolved. Where only a proxy reaches the outside, set HTTPS_PROXY.';
  return 'Check that the portal runs and that this machine may open connections to apiBaseUrl. Where only a proxy reaches the outside, set HTTPS_PROXY.';
};

/** Says what an operator should look at when a key could not be created, or undefined when the error says it all. */
export const mintHint = (error: PortalErrorDetails): string | undefined => {
  switch (error.kind) {
    case 'unauthorized':
      return isFromGateway(error)
        ? 'Something in front of the portal asks for a sign-in: a gateway or a proxy. Check apiBaseUrl and let this machine pass.'
        : 'Check the API key and that it belongs to the tenant of tenantId. If both are right, a proxy may be dropping the dotted header Svc.TenantId: see the option tenantIdHeader.';
    case 'forbidden':
      return isFromGateway(error)
        ? 'Something in front of the portal refuses this machine: a firewall or a gateway. Let its address pass.'
        : `The API key must hold the permissions ${mintPermissions.join(' and ')} in this tenant.`;
    case 'business':
      return 'Check the passphrase and the tenancy name, and that both belong to the tenant of tenantId.';
    case 'invalid':
      return isFromGateway(error)
        ? 'Something in front of the portal rejects the request: check apiBaseUrl. If a gateway asks for a client certificate, give upstream.tls a cert and key.'
        : 'Check the role names and the user ID. If they are right, a proxy may be dropping the dotted header Svc.TenantId.';
    case 'not_found':
      return 'Check the Item ID: the tenant has no such report.';
    case 'invalid_response':
      return 'Check apiBaseUrl: something that is not the portal seems to answer there (a proxy, a login page, a redirect).';
    case 'network':
      return networkHint(error);
    case 'timeout':
      return error.stats?.proxy === undefined
        ? undefined
        : `Requests go through the proxy ${error.stats.proxy}. Check that it answers, or add the host of apiBaseUrl to NO_PROXY.`;
    case 'server':
    case 'rate_limited':
    case 'aborted':
    case 'config':
    case 'conflict':
    case 'paging':
    case 'read_only':
      return undefined;
  }
};
