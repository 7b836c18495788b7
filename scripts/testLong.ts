/** Runs the long tests at full size, or at the share in `VITRINE_LONG`. Arguments select files, as in Vitest. */
import { spawnSync } from 'node:child_process';

const projects = ['node', 'dom', 'browser', 'packages'].flatMap((name) => ['--project', name]);
/** The files with a long size. */
const files = [
  '.long.test.ts',
  'test/actions/',
  'test/browser/manual.test.ts',
  'test/browser/strictHost.test.ts',
  'test/faults/',
  'test/portal/fuzz.test.ts',
  'test/portal/kill.test.ts',
  'test/portal/logLimits.test.ts',
  'test/portal-client/applyPlan.test.ts',
  'test/portal-client/fuzz.test.ts',
  'test/react/manyReports.test.tsx',
  'test/react/races.test.tsx',
  'test/react/session/',
  'test/regressions/embeddedReport.test.tsx',
];
const chosen = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...(chosen.length > 0 ? chosen : files)],
  { stdio: 'inherit', env: { ...process.env, VITRINE_LONG: process.env['VITRINE_LONG'] || '1' } },
);
process.exit(status ?? 1);
