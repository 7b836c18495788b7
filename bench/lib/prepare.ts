import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { installOnce } from '../../scripts/installOnce.ts';

/** Prepares a bench script: installs the packages for comparison, and builds our packages as published. */
export const prepare = (): void => {
  installOnce(join(import.meta.dirname, '..'), 'the packages to compare with (bench/node_modules)');
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
};
