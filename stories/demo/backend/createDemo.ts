import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { createServer as createViteServer } from 'vite';
import { createActions } from './createActions.ts';
import { createHost } from './createHost.ts';
import { freePortFrom, listen } from './listen.ts';

export interface DemoOptions {
  /** Port of the host app; another one is taken when it is not free. 0: any. */
  readonly demoPort?: number;
  /** Port of the portal, likewise. */
  readonly portalPort?: number;
  /** Lifetime of the keys that the host asks for. */
  readonly keyLifetime?: string | number;
}

/** A running demo. */
export interface Demo {
  readonly demoUrl: string;
  readonly portal: Portal;
  readonly tenant: PortalTenant;
  /** Where clicks in reports are stored, for `vitrine actions`. */
  readonly inboxFile: string;
  /** Ends everything that the demo started. */
  readonly close: () => Promise<void>;
}

const webRoot = fileURLToPath(new URL('../web', import.meta.url));
const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts the portal on an origin of its own and a host app beside it, in this process. */
export const createDemo = async (options: DemoOptions = {}): Promise<Demo> => {
  const { demoPort = 0, portalPort = 0, keyLifetime = '45m' } = options;
  const portal = await createPortal({ port: await freePortFrom(portalPort) });
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The portal has no tenant.');

  const actions = await createActions(tenant);
  const { app, close: closeHost } = createHost(portal, { keyLifetime, actions });
  const server = createServer(app);
  const vite = await createViteServer({
    root: webRoot,
    configFile: false,
    appType: 'spa',
    logLevel: 'warn',
    cacheDir: `${repositoryRoot}/node_modules/.vite/demo`,
    plugins: [react()],
    resolve: { conditions: ['@vitrine/source', 'module', 'browser', 'development|production'] },
    optimizeDeps: {
      include: ['react', 'react/jsx-dev-runtime', 'react-dom', 'react-dom/client', '@tanstack/react-query'],
    },
    server: {
      middlewareMode: true,
      ws: { server },
      fs: { allow: [repositoryRoot] },
      // Compiled before anybody asks, so that the first page does not wait for it.
      warmup: { clientFiles: ['./main.tsx'] },
    },
  });
  app.use(vite.middlewares);

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
      await Promise.all([vite.close(), closeHost(), actions.close()]);
      await portal.close();
    },
  };
};
