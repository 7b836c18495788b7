import type { PortalTenant } from '../../tenants/describeTenants.ts';

/** The variables of a tenant's host app, and those with values that this portal does not know. */
export interface TenantEnvironment {
  readonly values: Readonly<Record<string, string>>;
  readonly unknown: readonly string[];
}

/** The variables of `portalFromEnv()`, the action webhook and the client. */
export const tenantEnvironment = (tenant: Omit<PortalTenant, 'items' | 'roleNames'>): TenantEnvironment => {
  const all = Object.entries({
    VITRINE_TENANT_URL: tenant.tenantUrl,
    VITRINE_API_BASE_URL: tenant.apiBaseUrl,
    VITRINE_TENANT_ID: String(tenant.tenantId),
    VITRINE_TENANCY_NAME: tenant.tenancyName,
    VITRINE_API_KEY: tenant.apiKey,
    VITRINE_PASSPHRASE: tenant.passPhrase,
    VITRINE_WEBHOOK_SECRET: tenant.webhookSecret,
    VITRINE_BASE_URL: tenant.baseUrl,
  });
  return {
    values: Object.fromEntries(all.filter(([, value]) => value !== '')),
    unknown: all.filter(([, value]) => value === '').map(([name]) => name),
  };
};

/** A line of an `.env` file that shells can also read. */
export const envLine = (name: string, value: string): string => {
  if (/^[\w.:/@%+=-]*$/.test(value)) return `${name}=${value}`;
  return value.includes("'") ? `${name}="${value}"` : `${name}='${value}'`;
};

/** The `.env` of a host app. */
export const envText = (tenant: Omit<PortalTenant, 'items' | 'roleNames'>): string => {
  const { values, unknown } = tenantEnvironment(tenant);
  return [
    ...Object.entries(values).map(([name, value]) => envLine(name, value)),
    ...unknown.map(
      (name) => `# ${name} is not known to the portal: it is revoked, or was shown once, at creation`,
    ),
    '',
  ].join('\n');
};
