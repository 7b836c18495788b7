import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Portal, PortalTenant } from '@vitrine/portal';
import { createNodeHandler } from '@vitrine/server';
import { createActions, sqliteInbox } from '@vitrine/server/actions';

/** The connection of a host to a tenant of the portal. */
export const connectionOf = ({ tenantUrl, apiBaseUrl, baseUrl, ...tenant }: PortalTenant) => {
  const { tenantId, tenancyName, apiKey, passPhrase } = tenant;
  return { tenantUrl, apiBaseUrl, baseUrl, tenantId, tenancyName, apiKey, passPhrase };
};

/**
 * Delivers clicks in reports to `onAction`. The portal posts them to a separate local port, so the host name,
 * certificate and base path of the Vite server do not matter. Nothing is written to disk.
 */
export const startActions = async (
  portal: Portal,
  tenant: PortalTenant,
  audience: () => readonly string[],
) => {
  const connection = connectionOf(tenant);
  const actions = createActions({
    portal: connection,
    secrets: tenant.webhookSecret,
    inbox: sqliteInbox(':memory:'),
    audience,
  });
  // Only the webhook: nobody signs in here.
  const receiver = createNodeHandler({
    portal: connection,
    viewer: () => null,
    canView: () => false,
    actions,
    logger: false,
  });
  const server = createServer(receiver);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // It listens on a port, so this is not a path.
  const { port } = server.address() as AddressInfo;
  await portal.setActionTarget(tenant.tenancyName, `http://127.0.0.1:${port}/webhook`);
  return {
    actions,
    close: async () => {
      await actions.close(0);
      await receiver.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
};
