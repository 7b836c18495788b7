import { settings } from '@vitrine/contract/service';

/** The variables that every host needs. */
export const requiredVariables: readonly string[] = (
  ['tenantUrl', 'apiBaseUrl', 'tenantId', 'tenancyName', 'apiKey', 'passPhrase'] as const
).map((option) => settings[option].variable);
