import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { changedAt } from './changedAt.ts';

/** Installs a folder with a lock file of its own, exactly as that says, unless this has happened already. */
export const installOnce = (folder: string, purpose: string): void => {
  if (
    changedAt(join(folder, 'node_modules/.package-lock.json')) >= changedAt(join(folder, 'package-lock.json'))
  )
    return;
  process.stderr.write(`Installing ${purpose} ...\n`);
  const { status, stdout, stderr } = spawnSync('npm', ['ci'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}:\n${stdout}${stderr}`);
};
