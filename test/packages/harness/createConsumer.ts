import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { inject } from 'vitest';
import { isLong } from '../../support/size.ts';
import { createTerminal } from './createTerminal.ts';
import type { PackageManager } from './packageManagers.ts';
import { ourVersion, sharedRegistry } from './versions.ts';

/** A project outside the workspace that uses only the tarballs of our packages. */
export type Consumer = Awaited<ReturnType<typeof createConsumer>>;

export interface ConsumerOptions {
  /** Folder under `apps/` to copy. */
  readonly app?: string;
  /** Where the app's code imports `apps/yourSignIn.ts` from. */
  readonly signIn?: string;
  /** Our packages, by folder name under `src/`. */
  readonly packages: readonly string[];
  /** Packages from the registry: name and version. */
  readonly registry: Readonly<Record<string, string>>;
  /** Packages of this workspace that only build and test the app. They are linked: installing them costs most. */
  readonly tools?: readonly string[];
  /** Where those packages are. Default: `node_modules`. */
  readonly toolsFrom?: string;
  /** Default: npm, with tarballs of our packages. */
  readonly manager?: PackageManager;
}

const apps = 'test/packages/apps';

const tarballOf = (name: string): string =>
  `file:${join(inject('tarballs'), `${name === 'cli' ? 'vitrine' : `vitrine-${name}`}-${ourVersion}.tgz`)}`;

const npmWithTarballs: PackageManager = {
  takesTarballs: true,
  files: {},
  install: 'npm install --prefer-offline --ignore-scripts --no-audit --no-fund',
};

/** Writes the project, installs it, and returns the tools for tests. */
export const createConsumer = async (options: ConsumerOptions) => {
  const {
    app,
    signIn,
    packages,
    registry,
    tools = [],
    toolsFrom = 'node_modules',
    manager = npmWithTarballs,
  } = options;
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-consumer-'));
  const terminal = createTerminal(folder);
  if (app !== undefined) cpSync(join(apps, app), folder, { recursive: true });
  if (signIn !== undefined) cpSync(join(apps, 'yourSignIn.ts'), join(folder, signIn));
  const ours = packages.map((name) => [
    name === 'cli' ? 'vitrine' : `@vitrine/${name}`,
    manager.takesTarballs ? tarballOf(name) : `^${ourVersion}`,
  ]);
  const dependencies = { ...Object.fromEntries(ours), ...registry };
  // Yarn also looks for the dependencies of a tarball in the registry.
  const resolutions = manager.takesTarballs ? Object.fromEntries(ours) : {};
  const manifest = { name: 'consumer', private: true, type: 'module', dependencies, resolutions };
  const files = { ...manager.files, 'package.json': JSON.stringify(manifest, null, 2) };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);

  const isShared =
    !isLong &&
    manager === npmWithTarballs &&
    Object.entries(registry).every(([name, version]) => sharedRegistry[name] === version);
  // Linked: copying the files takes longer.
  if (isShared) await terminal.run(`cp -al "${inject('installation')}/node_modules" .`);
  else await terminal.run(manager.install);
  for (const tool of tools) {
    const { bin = {} } = JSON.parse(readFileSync(join(toolsFrom, tool, 'package.json'), 'utf8'));
    for (const path of [tool, ...Object.keys(bin).map((name) => `.bin/${name}`)]) {
      const [target, link] = [resolve(toolsFrom, path), join(folder, 'node_modules', path)];
      mkdirSync(dirname(link), { recursive: true });
      if (existsSync(target) && !existsSync(link)) symlinkSync(target, link);
    }
  }
  /** The line that runs a program of the project's own node_modules, or `node`. */
  const lineOf = (name: string, args: readonly string[]): string => {
    const program = name === 'node' || manager.run ? name : join(folder, 'node_modules/.bin', name);
    return [manager.run, ...[program, ...args].map((word) => `"${word}"`)].join(' ');
  };

  return {
    folder,
    /** Runs a program and rejects with its output. */
    bin: (name: string, ...args: readonly string[]): Promise<string> => terminal.run(lineOf(name, args)),
    /** Starts a program that serves, and returns the origin that it prints, or what else matches a pattern. */
    serve: (
      command: string,
      env: Readonly<Record<string, string>>,
      pattern = /http:\/\/localhost:\d+(?=\n)/,
    ): Promise<string> => {
      const [name = '', ...args] = command.split(' ');
      return terminal.start(lineOf(name, args), pattern, env);
    },
    remove: async () => {
      terminal.close();
      await Promise.resolve(rmSync(folder, { recursive: true, force: true }));
    },
  };
};
