import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** How a package manager installs a project and runs its programs. */
export interface PackageManager {
  readonly title: string;
  /** Its configuration files in the project, by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly install: readonly [string, ...string[]];
  /** The prefix of a program's name. Default: none, the program is in node_modules. */
  readonly run?: readonly [string, ...string[]];
  /** Installs our packages from their tarballs. Default: by name from a registry. */
  readonly takesTarballs?: boolean;
}

/** Yarn with Plug'n'Play. */
export const yarn = (script: string, settings: readonly string[]): PackageManager => ({
  title: "Yarn (Plug'n'Play)",
  files: {
    'yarn.lock': '',
    '.yarnrc.yml': [
      ...settings,
      'enableTelemetry: false',
      'enableScripts: false',
      'npmMinimalAgeGate: 0',
    ].join('\n'),
  },
  install: [process.execPath, script, 'install', '--no-immutable'],
  run: [process.execPath, script],
});

/** npm, pnpm and Yarn with Plug'n'Play, which all install from one registry, each with a new cache. */
export const packageManagers = async (
  registry: string,
): Promise<Record<'npm' | 'pnpm' | 'yarn', PackageManager>> => {
  const tools = mkdtempSync(join(tmpdir(), 'vitrine-managers-'));
  const npmrc = `registry=${registry}\n`;
  await execute('npm', [
    'install',
    '--prefix',
    tools,
    '--registry',
    registry,
    '--no-audit',
    'pnpm@12.21.0',
    '@yarnpkg/cli-dist@4.18.1',
  ]);
  const program = (path: string): [string, string] => [process.execPath, join(tools, 'node_modules', path)];
  return {
    npm: {
      title: 'npm',
      files: { '.npmrc': npmrc },
      install: [
        'npm',
        'install',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--cache',
        join(tools, 'npm'),
      ],
    },
    pnpm: {
      title: 'pnpm',
      // Otherwise its own package is too new: it was published a moment ago.
      files: { '.npmrc': npmrc, 'pnpm-workspace.yaml': 'minimumReleaseAge: 0\n' },
      install: [
        ...program('pnpm/bin/pnpm.mjs'),
        'install',
        '--ignore-scripts',
        '--store-dir',
        join(tools, 'store'),
      ],
    },
    yarn: yarn(join(tools, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js'), [
      `npmRegistryServer: ${registry.replace('localhost', '127.0.0.1')}`,
      'unsafeHttpWhitelist: [127.0.0.1]',
      'networkConcurrency: 8',
      'enableGlobalCache: false',
      `globalFolder: ${join(tools, 'yarn')}`,
    ]),
  };
};
