/** Runs the long tests at full size, or at the share in `VITRINE_LONG`. Arguments select files, as in Vitest. */
import { spawnSync } from 'node:child_process';

const projects = ['long', 'long-dom', 'packaging'].flatMap((name) => ['--project', name]);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, VITRINE_LONG: process.env['VITRINE_LONG'] || '1' } },
);
process.exit(status ?? 1);
