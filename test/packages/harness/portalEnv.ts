import type { PortalTenant } from '@vitrine/portal';

/** The environment variables that `portalFromEnv()` reads, for one tenant of a running portal. */
export const portalEnv = (
  tenant: Omit<PortalTenant, 'baseUrl' | 'items' | 'roleNames' | 'webhookSecret'>,
) => ({
  VITRINE_TENANT_URL: tenant.tenantUrl,
  VITRINE_API_BASE_URL: tenant.apiBaseUrl,
  VITRINE_TENANT_ID: String(tenant.tenantId),
  VITRINE_TENANCY_NAME: tenant.tenancyName,
  VITRINE_API_KEY: tenant.apiKey,
  VITRINE_PASSPHRASE: tenant.passPhrase,
});
