/** Runs the long tests at full size, or at the share in `VITRINE_LONG`. Arguments select files, as in Vitest. */
import { spawnSync } from 'node:child_process';

const projects = ['node', 'dom', 'browser', 'packages'].flatMap((name) => ['--project', name]);
/** The files with a long size. */
const files = [
  '.long.test.ts',
  'test/actions/',
  'test/browsers/manual.test.ts',
  'test/browsers/strictHost.test.ts',
  'test/errors/chaos.test.ts',
  'test/errors/secrets.test.ts',
  'test/key/crossSite.test.ts',
  'test/key/herd.test.ts',
  'test/key/malformed.test.ts',
  'test/key/rotation.test.ts',
  'test/key/tenants.test.ts',
  'test/key/viewerIdentity.test.ts',
  'test/portal/fuzz.test.ts',
  'test/portal/kill.test.ts',
  'test/portal/logLimits.test.ts',
  'test/proxy/cachedKeys.test.ts',
  'test/regressions/embeddedReport.test.tsx',
  'test/renewal/',
  'test/sync/applyPlan.test.ts',
  'test/sync/fuzz.test.ts',
];
const chosen = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...(chosen.length > 0 ? chosen : files)],
  { stdio: 'inherit', env: { ...process.env, VITRINE_LONG: process.env['VITRINE_LONG'] || '1' } },
);
process.exit(status ?? 1);
