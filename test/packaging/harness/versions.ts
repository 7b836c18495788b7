import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** The versions the workspace itself is proven with, for consumers that take the same. */
export const versionsOf = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, manifest.devDependencies[name]]));
