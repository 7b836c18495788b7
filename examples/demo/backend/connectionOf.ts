import type { PortalTenant } from '@vitrine/portal';

type Connected = Pick<
  PortalTenant,
  'tenantUrl' | 'apiBaseUrl' | 'tenantId' | 'tenancyName' | 'apiKey' | 'passPhrase'
>;

/** The middleware's connection of a tenant, without other fields: it rejects unknown options. */
export const connectionOf = (tenant: Connected): Connected => {
  const { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase } = tenant;
  return { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase };
};
