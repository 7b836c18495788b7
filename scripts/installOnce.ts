import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Installs a folder with its own manifest, by its lock file if it has one, unless that has already run there. */
export const installOnce = (folder: string, purpose: string): void => {
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((name) => changedAt(join(folder, name)));
  if (changedAt(join(folder, 'node_modules/.package-lock.json')) >= (lock || manifest || 0)) return;
  process.stderr.write(`Installing ${purpose} ...\n`);
  const args = lock ? ['ci'] : ['install', '--no-package-lock', '--ignore-scripts', '--prefer-offline'];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args[0]} failed in ${folder}:\n${stdout}${stderr}`);
};
