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
