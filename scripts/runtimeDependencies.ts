/** The dependencies that each package adds to a host app, from the lock file, without peers: a package contains its own development dependencies. */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

interface LockEntry {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  link?: boolean;
  resolved?: string;
  dependencies?: Readonly<Record<string, string>>;
  devDependencies?: Readonly<Record<string, string>>;
}

export interface RuntimeDependency {
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  /** `sha512-` and Base64; our own packages have none. */
  readonly integrity: string | undefined;
  /** Names and versions of its own dependencies. */
  readonly needs: readonly string[];
}

/** The package in `folder` of the repository, then all its runtime dependencies. */
export const findRuntimeDependencies = (lockFile: string, folder: string): RuntimeDependency[] => {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as {
    packages: Readonly<Record<string, LockEntry>>; // npm's format
  };
  /** Looks for a package as Node does: in the nearest `node_modules`, then further up. */
  const locate = (name: string, from: string): string => {
    const path = posix.join(from, 'node_modules', name);
    const entry = packages[path];
    if (entry !== undefined) return entry.link === true ? (entry.resolved ?? path) : path;
    if (from === '.') throw new Error(`${lockFile} lacks ${name}, which ${folder} needs.`);
    return locate(name, posix.dirname(from));
  };
  const needsOf = (path: string): string[] => {
    const { dependencies, devDependencies } = packages[path] ?? {};
    return Object.keys({ ...dependencies, ...(path === folder && devDependencies) }).map((name) =>
      locate(name, path),
    );
  };
  /** npm gives the name of a workspace only if it differs from its folder. */
  const nameOf = (path: string): string =>
    packages[path]?.name ?? path.replace(/^(?:.*node_modules|src)\//, '');
  const versionOf = (path: string): string => packages[path]?.version ?? '';

  const found = new Map<string, RuntimeDependency>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    const needed = needsOf(path);
    const needs = needed.map((one) => `${nameOf(one)}@${versionOf(one)}`);
    const { license, integrity } = packages[path] ?? {};
    found.set(path, { name: nameOf(path), version: versionOf(path), license, integrity, needs });
    for (const one of needed) visit(one);
  };
  visit(folder);
  return [...found.values()];
};
