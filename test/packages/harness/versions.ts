import { readFileSync } from 'node:fs';

/** The one version of all our packages. */
export const ourVersion: string = JSON.parse(readFileSync('src/react/package.json', 'utf8')).version;

/** The versions in the workspace, for consumers that use the same ones. */
export const versionsOf = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => {
      const manifest = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
      // A package under another name, such as express-4.
      return [name, manifest.name === name ? manifest.version : `npm:${manifest.name}@${manifest.version}`];
    }),
  );

/** What the consumers with the versions of the workspace install, which one installation has for all of them. */
export const sharedRegistry: Readonly<Record<string, string>> = {
  '@tanstack/query-sync-storage-persister': '5.104.4',
  '@tanstack/react-query-persist-client': '5.104.5',
  ...versionsOf('@hono/node-server', '@tanstack/react-query', '@testing-library/react', '@types/express'),
  ...versionsOf('@types/node', '@types/react', '@types/react-dom', 'express', 'express-4', 'fastify', 'hono'),
  ...versionsOf('react', 'react-dom', 'vite', 'zod'),
};
