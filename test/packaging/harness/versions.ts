import { readFileSync } from 'node:fs';

/** The one version of all our packages. */
export const ourVersion: string = JSON.parse(readFileSync('src/react/package.json', 'utf8')).version;

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** The versions the workspace itself is proven with, for consumers that take the same. */
export const versionsOf = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, manifest.devDependencies[name]]));
