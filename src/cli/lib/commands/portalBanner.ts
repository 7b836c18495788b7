import type { Portal, PortalTenant } from '@vitrine/portal';
import type { Colors } from '../output/createColors.ts';

/** As an .env file and a shell both read it. */
const quoted = (value: string): string =>
  /^[\w.:/@%+=-]*$/.test(value) ? value : value.includes("'") ? `"${value}"` : `'${value}'`;

/** What `portalFromEnv()`, the action webhook and the client read, ready to be copied. */
const variables = (tenant: PortalTenant): string[] => {
  const values: Readonly<Record<string, string>> = {
    VITRINE_TENANT_URL: tenant.tenantUrl,
    VITRINE_API_BASE_URL: tenant.apiBaseUrl,
    VITRINE_TENANT_ID: String(tenant.tenantId),
    VITRINE_TENANCY_NAME: tenant.tenancyName,
    VITRINE_API_KEY: tenant.apiKey,
    VITRINE_PASSPHRASE: tenant.passPhrase,
    VITRINE_WEBHOOK_SECRET: tenant.webhookSecret,
    VITRINE_BASE_URL: tenant.baseUrl,
  };
  return Object.entries(values).map(([name, value]) =>
    value === '' ? `# ${name} is not the development one; it is kept nowhere` : `${name}=${quoted(value)}`,
  );
};

/** What a person needs to use a portal that has just started. */
export const portalBanner = (portal: Portal, colors: Colors): string => {
  const lines = [
    `${colors.bold('Portal')}   ${portal.url}`,
    `${colors.bold('Console')}  ${portal.url}/`,
    `${colors.bold('API')}      ${portal.url}/docs`,
    '',
  ];
  for (const tenant of portal.tenants) {
    const [item] = tenant.items;
    lines.push(
      colors.bold(`${tenant.tenancyName} (tenant ${tenant.tenantId})`),
      ...(item === undefined ? ['  reports      none'] : []),
      ...tenant.items.map(
        ({ id, displayName }, place) => `  ${(place === 0 ? 'reports' : '').padEnd(12)} ${id} ${displayName}`,
      ),
      `  roles        ${tenant.roleNames.join(', ') || 'none'}`,
      ...(item === undefined
        ? []
        : [`  sample       ${portal.url}/#preview/${tenant.tenancyName}/${item.id}`]),
      ...variables(tenant),
      '',
    );
  }
  lines.push(
    colors.dim("A tenant's variables go into the .env of your host app: node --env-file=.env server.ts"),
    colors.dim('These secrets are for development alone. Ctrl-C ends the portal.'),
    '',
  );
  return lines.join('\n');
};
