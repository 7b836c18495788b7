import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type VitrinePluginOptions, vitrine } from '@vitrine/vite';
import { createLogger, createServer, type InlineConfig } from 'vite';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const root = fileURLToPath(new URL('../viteApp', import.meta.url));

/** Options for running the app in a browser. */
export const forBrowsers: InlineConfig = {
  optimizeDeps: {
    include: ['react', 'react/jsx-dev-runtime', 'react-dom', 'react-dom/client', '@tanstack/react-query'],
  },
};

/** The configuration of an app with the plugin. */
export const appConfig = (options?: VitrinePluginOptions, cacheDir = temporaryFolder()): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'silent',
  cacheDir,
  plugins: [react(), vitrine(options)],
  resolve: { conditions: ['@vitrine/source', 'module', 'browser', 'development|production'] },
  // Only a browser needs React, and preparing it takes a second.
  optimizeDeps: { noDiscovery: true, include: [] },
  server: {
    port: 0,
    host: 'localhost',
    fs: { allow: [fileURLToPath(new URL('../../..', import.meta.url))] },
  },
});

/** Starts the app in a real Vite server. `said` is the terminal output. */
export const startApp = async (options?: VitrinePluginOptions, config: InlineConfig = {}) => {
  const said: string[] = [];
  const customLogger = createLogger('info');
  const log = (text: string) => void said.push(text);
  Object.assign(customLogger, { info: log, warn: log, error: log });
  const server = await createServer({ ...appConfig(options), ...config, customLogger });
  onTestFinished(() => server.close());
  await server.listen();
  const url = () => server.resolvedUrls?.local[0] ?? '';
  /** Requests a key as the component does. */
  const askForKey = (itemId = 1042, headers: Record<string, string> = {}) =>
    fetch(new URL('/api/embed/keys', url()), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vitrine-request': '1', ...headers },
      body: JSON.stringify({ itemId }),
    });
  return { server, url, said: () => said.join('\n'), askForKey };
};
