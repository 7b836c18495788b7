import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Runs `npm ci` in a folder with its own lock file, unless it has already run there. */
export const installOnce = (folder: string, purpose: string): void => {
  if (
    changedAt(join(folder, 'node_modules/.package-lock.json')) >= changedAt(join(folder, 'package-lock.json'))
  )
    return;
  process.stderr.write(`Installing ${purpose} ...\n`);
  const { status, stdout, stderr } = spawnSync('npm', ['ci'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}:\n${stdout}${stderr}`);
};
