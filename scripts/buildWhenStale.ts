import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { changedAt } from './changedAt.ts';

const root = join(import.meta.dirname, '..');

/** Builds the packages when a source file is newer than the last build. */
export const buildWhenStale = (): void => {
  const sources = globSync('src/*/lib/**/*', { cwd: root }).map((file) => changedAt(join(root, file)));
  const built = globSync('src/*/package.json', { cwd: root }).map((file) =>
    Math.max(...['index.js', 'bin.js'].map((entry) => changedAt(join(root, dirname(file), 'dist', entry)))),
  );
  if (Math.min(...built) >= Math.max(...sources)) return;
  process.stderr.write('Building the packages ...\n');
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
};
