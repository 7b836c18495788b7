import { rowsOf } from '../database/tenantRows.ts';
import { readRlsRoles } from '../rowSecurity.ts';
import { matchesDigest, secretDigest } from '../secretDigest.ts';
import { developmentApiKey, developmentPassPhrase, developmentWebhookSecret } from '../seed/derived.ts';
import type { ParsedSeed } from '../seed/seedSchema.ts';
import type { Services } from '../services.ts';
import { listTenants, type Tenant } from '../tenant.ts';

/** The IDs and the name of an item, for host apps. */
export interface PortalTenantItem {
  /** The Item ID as a number. */
  readonly id: number;
  /** The Item ID as a GUID. */
  readonly guid: string;
  readonly displayName: string;
  readonly type: string;
  readonly hasRls: boolean;
}

/** A tenant with everything that a host app needs. */
export interface PortalTenant {
  readonly tenantId: number;
  readonly tenancyName: string;
  /** Public origin of reports. Resolves in browsers; Node does not resolve `*.localhost`. */
  readonly tenantUrl: string;
  /** `{api_base_url}` of the interface. */
  readonly apiBaseUrl: string;
  /** `{base_url}` of the interface. */
  readonly baseUrl: string;
  /** The API key; empty if it is revoked, or if the database was seeded with secrets unknown to this process. */
  readonly apiKey: string;
  /** The passphrase; empty if it is unknown. */
  readonly passPhrase: string;
  /** The secret of webhook tasks without their own. */
  readonly webhookSecret: string;
  readonly items: readonly PortalTenantItem[];
  /** Codes of the RLS roles. */
  readonly roleNames: readonly string[];
}

/** Describes one tenant with the secrets that are known and still valid. */
export const describeTenant = async (
  services: Services,
  tenant: Tenant,
  secrets: Pick<PortalTenant, 'apiKey' | 'passPhrase'>,
): Promise<PortalTenant> => {
  const place = { db: services.db, tenantId: tenant.id };
  const items = await rowsOf(place, 'items');
  const keys = await rowsOf(place, 'api_keys');
  const keyDigest = secretDigest(secrets.apiKey);
  const isKey = keys.some(({ digest, revokedAt }) => digest === keyDigest && revokedAt === null);
  const isPassPhrase = matchesDigest(secrets.passPhrase, tenant.passphraseDigest);
  return {
    tenantId: tenant.id,
    tenancyName: tenant.tenancyName,
    tenantUrl: services.tenantUrl(tenant.tenancyName),
    apiBaseUrl: services.apiUrl,
    baseUrl: services.apiUrl,
    apiKey: isKey ? secrets.apiKey : '',
    passPhrase: isPassPhrase ? secrets.passPhrase : '',
    webhookSecret: developmentWebhookSecret(tenant.tenancyName),
    items: items.map(({ id, guid, displayName, type, hasRls }) => ({ id, guid, displayName, type, hasRls })),
    roleNames: (await readRlsRoles(place)).map(({ code }) => code),
  };
};

/** Describes every tenant of the database. */
export const describeTenants = async (services: Services, seed: ParsedSeed): Promise<PortalTenant[]> => {
  const tenants = await listTenants(services.db);
  return Promise.all(
    tenants.map((tenant) => {
      const seeded = seed.tenants.find((candidate) => candidate.tenantId === tenant.id);
      return describeTenant(services, tenant, {
        apiKey: seeded?.apiKeys?.[0]?.key ?? developmentApiKey(tenant.tenancyName),
        passPhrase: seeded?.passPhrase ?? developmentPassPhrase(tenant.tenancyName),
      });
    }),
  );
};
