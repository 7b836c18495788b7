import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Io } from '../../io.ts';
import { openProject, type Project } from './project.ts';

const lockFiles = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
} as const;

/** Whether a folder is the root of a workspace: it lists its packages. */
export const isWorkspaceRoot = ({ manifest, find }: Project): boolean =>
  manifest.workspaces !== undefined || find(['pnpm-workspace.yaml']) !== undefined;

/** The workspace of an app: the nearest parent folder that is a workspace root. */
const workspaceOf = ({ root }: Project): Project | undefined => {
  for (let folder = root; folder !== dirname(folder); ) {
    folder = dirname(folder);
    const project = openProject(folder, true);
    if (isWorkspaceRoot(project)) return project;
  }
  return undefined;
};

/** The package manager of an app, from its lock file or manifest, or those of its workspace. */
export const packageManagerOf = (project: Project): string => {
  for (const place of [project, workspaceOf(project)]) {
    const lockFile = place?.find(Object.keys(lockFiles));
    if (lockFile !== undefined) return lockFiles[lockFile as keyof typeof lockFiles]; // found among those names
    const [named] = /^(?:npm|pnpm|yarn|bun)(?=@)/.exec(place?.manifest.packageManager ?? '') ?? [];
    if (named !== undefined) return named;
    if (place?.find(['pnpm-workspace.yaml'])) return 'pnpm';
  }
  return 'npm';
};

/** Whether a package is installed for an app. Yarn's Plug'n'Play has no folders, so there we assume it is. */
export const hasPackage = ({ root }: Project, name: string): boolean => {
  for (let folder = root; ; folder = dirname(folder)) {
    if ([join('node_modules', name), '.pnp.cjs'].some((one) => existsSync(join(folder, one)))) return true;
    if (folder === dirname(folder)) return false;
  }
};

/** Runs the installation in a folder. Resolves to whether it succeeded. */
export const runInstall = async (manager: string, root: string, { signal }: Io): Promise<boolean> => {
  const status = await new Promise((resolve, reject) => {
    // On Windows, package managers are scripts, which need a shell.
    const child = spawn(`${manager} install`, {
      cwd: root,
      shell: true,
      signal,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', resolve);
  });
  return status === 0;
};
