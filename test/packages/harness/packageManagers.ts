import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTerminal } from './createTerminal.ts';

/** How a package manager installs a project and runs its programs. */
export interface PackageManager {
  /** Its configuration files in the project, by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** The command that installs a project. */
  readonly install: string;
  /** The beginning of the command that runs a program. Default: none, the program is in node_modules. */
  readonly run?: string;
  /** Installs our packages from their tarballs. Default: by name from a registry. */
  readonly takesTarballs?: boolean;
}

/** Yarn with Plug'n'Play. */
export const yarn = (script: string, settings: readonly string[]): PackageManager => ({
  files: {
    'yarn.lock': '',
    '.yarnrc.yml': [
      ...settings,
      'enableTelemetry: false',
      'enableScripts: false',
      'npmMinimalAgeGate: 0',
    ].join('\n'),
  },
  install: `node ${script} install --no-immutable`,
  run: `node ${script}`,
});

/** npm, pnpm and Yarn with Plug'n'Play, which all install from one registry, each with a new cache. */
export const packageManagers = async (
  registry: string,
): Promise<Record<'npm' | 'pnpm' | 'yarn', PackageManager>> => {
  const tools = mkdtempSync(join(tmpdir(), 'vitrine-managers-'));
  const npmrc = `registry=${registry}\n`;
  await createTerminal(tools).run(
    `npm install --prefix . --registry ${registry} --no-audit pnpm@12.21.0 @yarnpkg/cli-dist@4.18.1`,
  );
  const modules = join(tools, 'node_modules');
  return {
    npm: {
      files: { '.npmrc': npmrc },
      install: `npm install --ignore-scripts --no-audit --no-fund --cache ${join(tools, 'npm')}`,
    },
    pnpm: {
      // Otherwise its own package is too new: it was published a moment ago.
      files: { '.npmrc': npmrc, 'pnpm-workspace.yaml': 'minimumReleaseAge: 0\n' },
      install: `node ${modules}/pnpm/bin/pnpm.mjs install --ignore-scripts --store-dir ${join(tools, 'store')}`,
    },
    yarn: yarn(join(modules, '@yarnpkg/cli-dist/bin/yarn.js'), [
      `npmRegistryServer: ${registry.replace('localhost', '127.0.0.1')}`,
      'unsafeHttpWhitelist: [127.0.0.1]',
      'networkConcurrency: 8',
      'enableGlobalCache: false',
      `globalFolder: ${join(tools, 'yarn')}`,
    ]),
  };
};
