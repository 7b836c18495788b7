import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { UsageError } from '../../output/usageError.ts';

/** The fields of a `package.json` that determine the kind of app. */
export interface Manifest {
  readonly packageManager?: string;
  readonly workspaces?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** An app on disk. */
export interface Project {
  readonly root: string;
  /** Its package.json, relative to the root: of the app, or the only one of its workspace. */
  readonly manifestFile: string;
  readonly manifest: Manifest;
  /** Every package that the manifest lists, with its range. */
  readonly listed: Readonly<Record<string, string>>;
  readonly manager: string;
  readonly isTypeScript: boolean;
  /** The text of a file, without a byte order mark; undefined if there is none. */
  readonly read: (file: string) => string | undefined;
  /** The files that glob patterns match, outside of node_modules. */
  readonly match: (...patterns: string[]) => readonly string[];
}

const lockFiles = {
  'pnpm-lock.yaml': 'pnpm',
  'pnpm-workspace.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
};

const parentsOf = (folder: string): readonly string[] =>
  folder === dirname(folder) ? [folder] : [folder, ...parentsOf(dirname(folder))];

const readManifest = (text: string): Manifest => {
  try {
    return JSON.parse(text) as Manifest; // npm accepts nothing else
  } catch (cause) {
    throw new UsageError('package.json is not JSON. Correct it first.', { cause });
  }
};

/** The package manager of an app, from its lock file or manifest, or those of its workspace. */
const managerOf = (root: string, read: Project['read']): string => {
  for (const [index, folder] of parentsOf(root).entries()) {
    const { packageManager = '', workspaces } = readManifest(
      read(join(relative(root, folder), 'package.json')) ?? '{}',
    );
    const isOwn = index === 0 || workspaces !== undefined || existsSync(join(folder, 'pnpm-workspace.yaml'));
    const [, lock] = Object.entries(lockFiles).find(([file]) => existsSync(join(folder, file))) ?? [];
    const [named] = /^(?:npm|pnpm|yarn|bun)(?=@)/.exec(packageManager) ?? [];
    if (isOwn && (lock ?? named) !== undefined) return lock ?? named ?? 'npm';
  }
  return 'npm';
};

/** Reads the app in a folder. Throws if there is none. */
export const openProject = (root: string): Project => {
  const read = (file: string): string | undefined =>
    statSync(join(root, file), { throwIfNoEntry: false })?.isFile()
      ? readFileSync(join(root, file), 'utf8').replace(/^\uFEFF/, '')
      : undefined;
  // An app of an Nx workspace has a project.json, and its packages in the package.json of the workspace.
  const isPart = existsSync(join(root, 'project.json'));
  const folder = parentsOf(root).find((one) => existsSync(join(one, 'package.json')));
  if (folder === undefined || (folder !== root && !isPart))
    throw new UsageError(
      `There is no package.json in ${root}. Run this in the folder of your app, or create an app with: npm create vitrine@latest`,
    );
  const manifestFile = join(relative(root, folder), 'package.json').replaceAll(sep, '/');
  const manifest = readManifest(read(manifestFile) ?? '{}');
  return {
    root,
    manifestFile,
    manifest,
    listed: { ...manifest.dependencies, ...manifest.devDependencies },
    manager: managerOf(root, read),
    isTypeScript: read('tsconfig.json') !== undefined,
    read,
    match: (...patterns) =>
      globSync(patterns, { cwd: root, exclude: (name) => /^(?:node_modules|dist|\.\w+)$/.test(name) })
        .map((file) => file.replaceAll(sep, '/'))
        .sort(),
  };
};
