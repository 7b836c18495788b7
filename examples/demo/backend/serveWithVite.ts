import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { RequestHandler } from 'express';
import { createServer } from 'vite';

/** A server for the pages of the host app. */
export interface Pages {
  readonly handler: RequestHandler;
  readonly close: () => Promise<void>;
}

const webRoot = fileURLToPath(new URL('../web', import.meta.url));
const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** Serves the pages of the host app with Vite, which recompiles them on change. */
export const serveWithVite = async (server: Server): Promise<Pages> => {
  const vite = await createServer({
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
      // Compile in advance, so that the first page does not wait for it.
      warmup: { clientFiles: ['./main.tsx'] },
    },
  });
  return { handler: vite.middlewares, close: () => vite.close() };
};
