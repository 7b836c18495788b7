import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createActionStream,
  createActionWebhook,
  createItemIdResolver,
  readNodeBody,
  sqliteInbox,
} from '@vitrine/actions';
import type { Portal, PortalTenant } from '@vitrine/portal';
import { createPortalClient } from '@vitrine/portal-client';

/**
 * Brings clicks in reports to `onAction`. The portal posts them to a port of our own on this machine, so that it works
 * whatever host name, certificate or base path the Vite server has. Nothing is kept on disk.
 */
export const startActions = async (
  portal: Portal,
  tenant: PortalTenant,
  audience: () => readonly string[],
) => {
  const inbox = sqliteInbox(':memory:', { thread: 'main', spillFolder: false, minFreeBytes: false });
  const webhook = createActionWebhook({ secrets: tenant.webhookSecret, inbox });
  const client = createPortalClient({ baseUrl: tenant.baseUrl, apiKey: tenant.apiKey });
  const stream = createActionStream({
    inbox,
    audience,
    itemIdOf: createItemIdResolver(client.items.resolver),
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers } = await webhook.receive({
      method: request.method ?? '',
      header: (name) => request.headers[name]?.toString(),
      source: request.socket.remoteAddress,
      readBody: (maxBytes) => readNodeBody(request, maxBytes),
    });
    response.writeHead(status, headers).end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // It listens on a port, so this is no path.
  const { port } = server.address() as AddressInfo;
  await portal.setActionTarget(tenant.tenancyName, `http://127.0.0.1:${port}/webhook`);
  return {
    stream,
    close: async () => {
      stream.close();
      await webhook.close(0);
      await client.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
};
