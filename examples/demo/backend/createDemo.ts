import { createServer, type Server } from 'node:http';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { createActions } from './createActions.ts';
import { createHost } from './createHost.ts';
import { freePortFrom, listen } from './listen.ts';
import { type Pages, serveWithVite } from './serveWithVite.ts';

export interface DemoOptions {
  /** Port of the host app; another one is used if it is not free. 0: any. */
  readonly demoPort?: number;
  /** Port of the portal, likewise. */
  readonly portalPort?: number;
  /** Lifetime of the host's keys. */
  readonly keyLifetime?: string | number;
  /** Serves the pages of the host app. Default: Vite, which recompiles them on change. */
  readonly servePages?: (server: Server) => Promise<Pages>;
}

/** A running demo. */
export interface Demo {
  readonly demoUrl: string;
  readonly portal: Portal;
  readonly tenant: PortalTenant;
  /** Where clicks in reports are stored, for `vitrine actions`. */
  readonly inboxFile: string;
  /** Stops everything that the demo started. */
  readonly close: () => Promise<void>;
}

/** Starts the portal on its own origin and a host app, in this process. */
export const createDemo = async (options: DemoOptions = {}): Promise<Demo> => {
  const { demoPort = 0, portalPort = 0, keyLifetime = '45m', servePages = serveWithVite } = options;
  const portal = await createPortal({ port: await freePortFrom(portalPort) });
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The portal has no tenant.');

  const actions = await createActions(tenant);
  const { app, close: closeHost } = createHost(portal, { keyLifetime, actions });
  const server = createServer(app);
  const pages = await servePages(server);
  app.use(pages.handler);

  const port = await listen(server, await freePortFrom(demoPort));
  await portal.setActionTarget(tenant.tenancyName, `http://127.0.0.1:${port}/api/embed/webhook`);
  return {
    demoUrl: `http://localhost:${port}`,
    portal,
    tenant,
    inboxFile: actions.inboxFile,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await Promise.all([pages.close(), closeHost(), actions.close()]);
      await portal.close();
    },
  };
};
