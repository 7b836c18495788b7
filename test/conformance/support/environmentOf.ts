import type { Target } from '../../../src/conformance/lib/target.ts';

/** The variables that describe a target to `vitrine conformance`. */
export const environmentOf = (target: Target) => ({
  VITRINE_BASE_URL: target.baseUrl,
  VITRINE_API_BASE_URL: target.apiBaseUrl,
  VITRINE_TENANT_URL: target.tenantUrl,
  VITRINE_TENANT_ID: String(target.tenantId),
  VITRINE_TENANCY_NAME: target.tenancyName,
  VITRINE_API_KEY: target.apiKey,
  VITRINE_PASSPHRASE: target.passPhrase,
});
