import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const benchFolder = join(import.meta.dirname, '..');
const root = join(benchFolder, '..');

const run = (command: string, args: readonly string[], cwd: string): void => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}:\n${stdout}${stderr}`);
};

const changedAt = (file: string): number => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** Installs what Vitrine is measured beside, exactly as the lock file says, when that has not happened yet. */
const installPeers = (): void => {
  const installed = changedAt(join(benchFolder, 'node_modules/.package-lock.json'));
  if (installed >= changedAt(join(benchFolder, 'package-lock.json'))) return;
  process.stderr.write('Installing what we are measured beside (bench/node_modules) ...\n');
  run('npm', ['ci'], benchFolder);
};

/** Measured is what users get: the built packages. Builds them when a source file is newer than the last build. */
const buildPackages = (): void => {
  const sources = globSync('src/*/lib/**/*', { cwd: root }).map((file) => changedAt(join(root, file)));
  const names = ['contract', 'react', 'portal-client', 'server', 'actions', 'express', 'portal'];
  const built = names.map((name) => changedAt(join(root, `src/${name}/dist/index.js`)));
  if (Math.min(...built) >= Math.max(...sources)) return;
  process.stderr.write('Building the packages ...\n');
  run('npm', ['run', 'build'], root);
};

/** Everything a bench script needs before it measures. */
export const prepare = (): void => {
  installPeers();
  buildPackages();
};
