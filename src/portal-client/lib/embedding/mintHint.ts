import { mintPermissions } from '@vitrine/contract';
import type { PortalError } from '../errors/portalError.ts';

const tlsCodes = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/;

/** Says what an operator should look at when a key could not be created, or nothing when there is no better advice than the error. */
export const mintHint = (error: PortalError): string | undefined => {
  switch (error.kind) {
    case 'unauthorized':
      return 'Check the API key. If it is right, a proxy may be dropping the dotted header Svc.TenantId: see the option tenantIdHeader.';
    case 'forbidden':
      return `The API key must hold the permissions ${mintPermissions.join(' and ')} in this tenant.`;
    case 'business':
      return 'Check the passphrase and the tenancy name, and that both belong to the tenant of tenantId.';
    case 'invalid':
      return 'Check the role names and user ID; if they are right, a proxy may be dropping the dotted header Svc.TenantId.';
    case 'not_found':
      return 'Check the Item ID: the tenant has no such report.';
    case 'invalid_response':
      return 'Check apiBaseUrl: something that is not the portal seems to answer there (a proxy, a login page, a redirect).';
    case 'network':
      if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
        return 'The host name of apiBaseUrl cannot be resolved.';
      if (error.code === 'ERR_TLS_CERT_ALTNAME_INVALID')
        return 'The TLS certificate at apiBaseUrl belongs to another host. Compare the host of apiBaseUrl; do not switch verification off.';
      if (error.code === 'ERR_SSL_WRONG_VERSION_NUMBER')
        return 'What answers at apiBaseUrl speaks no TLS. Compare its scheme and port: https or http.';
      if (error.code !== undefined && tlsCodes.test(error.code))
        return 'The TLS certificate at apiBaseUrl was not accepted. Name its authority in NODE_EXTRA_CA_CERTS or in the option upstream.ca; do not switch verification off.';
      return 'Check that this machine may open connections to apiBaseUrl.';
    case 'timeout':
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
