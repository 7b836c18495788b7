/**
 * The project's whole proof in one run: static checks, builds, gates, then every test. A failed check does not
 * stop the rest, so that one run tells everything; the last line counts checks and tests together.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCounts, type Counts, closingLine } from './closingLine.ts';

const checks = [
  ['format and order of imports', 'check:format'],
  ['types', 'check:types'],
  ['lint', 'check:lint'],
  ['build', 'build'],
  ['packages (publint, are-the-types-wrong)', 'check:packages'],
  ['unused files, exports and dependencies (knip)', 'check:unused'],
  ['size', 'size'],
  ['build of Storybook', 'build:storybook'],
] as const;

const elapsed = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`;
const say = (line: string) => process.stdout.write(`${line}\n`);

let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
const passedChecks = new Set<string>();
const began = performance.now();

for (const [index, [title, script]] of checks.entries()) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', script], { encoding: 'utf8' });
  const passed = status === 0;
  if (passed) passedChecks.add(script);
  counts = addCounts(counts, { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 });
  if (!passed) say(`${stdout}${stderr}`);
  say(`${passed ? '✓' : '✗'} [${index + 1}/${checks.length + 1}] ${title} (${elapsed(start)})`);
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-verify-'));
const countsFile = join(folder, 'counts.json');
const start = performance.now();
say(`  [${checks.length + 1}/${checks.length + 1}] tests`);
const tests = spawnSync('npx', ['vitest', 'run'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    VITRINE_COUNTS: countsFile,
    // What was built above is what the tests pack.
    ...(passedChecks.has('build') && { VITRINE_BUILT: 'yes' }),
  },
});

const testCounts = (): Counts => {
  try {
    return JSON.parse(readFileSync(countsFile, 'utf8')) as Counts; // written by our own reporter
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }; // Vitest ended before it could report
  }
};
counts = addCounts(counts, testCounts());
if (tests.status !== 0 && counts.failed === 0) counts = { ...counts, failed: 1 };
rmSync(folder, { recursive: true });

say(`${counts.failed === 0 ? '✓' : '✗'} tests (${elapsed(start)}), everything ${elapsed(began)}`);
say(closingLine(counts));
process.exit(counts.failed === 0 ? 0 : 1);
