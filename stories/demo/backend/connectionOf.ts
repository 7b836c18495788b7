import type { PortalTenant } from '@vitrine/portal';

type Connected = Pick<
  PortalTenant,
  'tenantUrl' | 'apiBaseUrl' | 'tenantId' | 'tenancyName' | 'apiKey' | 'passPhrase'
>;

/** What the middleware needs to know of a tenant, and no more: it refuses options that it does not know. */
export const connectionOf = (tenant: Connected): Connected => {
  const { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase } = tenant;
  return { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase };
};
