import { readFileSync } from 'node:fs';

/** The one version of all our packages. */
export const ourVersion: string = JSON.parse(readFileSync('src/react/package.json', 'utf8')).version;

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** The versions of the workspace, for consumers that use the same ones. */
export const versionsOf = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, manifest.devDependencies[name] ?? installedVersion(name)]));

/** The version of a dependency of our packages, which the workspace does not name. */
const installedVersion = (name: string): string =>
  JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
