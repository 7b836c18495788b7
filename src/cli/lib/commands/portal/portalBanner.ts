import { envText, type Portal } from '@vitrine/portal';
import type { Colors } from '../../output/createColors.ts';

/** The information that is printed when a portal has started. */
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
      `  RLS codes    ${tenant.roleNames.join(', ') || 'none'}`,
      ...(item === undefined
        ? []
        : [`  sample       ${portal.url}/#preview/${tenant.tenancyName}/${item.id}`]),
      envText(tenant),
    );
  }
  lines.push(
    colors.dim("Copy a tenant's variables into the .env of your host app: node --env-file=.env server.ts"),
    colors.dim('These secrets are only for development. Press Ctrl-C to stop the portal.'),
    '',
  );
  return lines.join('\n');
};
