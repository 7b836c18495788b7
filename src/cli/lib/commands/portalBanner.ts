import type { Portal } from '@vitrine/portal';
import type pico from 'picocolors';

/** What a person needs to use a portal that has just started. */
export const portalBanner = (portal: Portal, colors: ReturnType<typeof pico.createColors>): string => {
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
      `  tenant URL   ${tenant.tenantUrl}`,
      `  API key      ${tenant.apiKey || '(not the development one; it is kept nowhere)'}`,
      `  passphrase   ${tenant.passPhrase || '(not the development one; it is kept nowhere)'}`,
      ...(item === undefined ? ['  reports      none'] : []),
      ...tenant.items.map(
        ({ id, displayName }, place) => `  ${(place === 0 ? 'reports' : '').padEnd(12)} ${id} ${displayName}`,
      ),
      ...(item === undefined
        ? []
        : [`  sample       ${portal.url}/#preview/${tenant.tenancyName}/${item.id}`]),
      '',
    );
  }
  lines.push(colors.dim('These secrets are for development alone. Ctrl-C ends the portal.'), '');
  return lines.join('\n');
};
