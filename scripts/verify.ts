/**
 * Builds, then runs the static checks alongside the tests. A failed check does not stop the rest; the last line counts
 * checks and tests together. `--all` adds the slow tests.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCounts, type Counts, closingLine } from './closingLine.ts';
import { slowTests } from './slowTests.ts';

/** The build, which the tests and some of the checks need. */
const build = ['build', 'build'] as const;
/** Static checks, which run in parallel with the tests. The tests of the manual build Storybook. */
const checks = [
  ['format and order of imports', 'check:format'],
  ['types', 'check:types'],
  ['lint', 'check:lint'],
  ['code lines', 'check:lines'],
  ['packages (contents, licenses, publint, are-the-types-wrong)', 'check:packages'],
  ['unused files, exports and dependencies (knip)', 'check:unused'],
  ['size', 'size'],
] as const;
/** The tests of the component once more, with the oldest React that it supports. */
const react18 = ['React 18', 'test:react-18'] as const;

const options = process.argv.slice(2);
const isAll = options.includes('--all');

const elapsed = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`;
const say = (line: string) => process.stdout.write(`${line}\n`);
const began = performance.now();

const unknown = options.filter((option) => option !== '--all');
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown option ${unknown.join(', ')}. The only option is --all. To run one file: npx vitest run <file>.\n`,
  );
  process.exit(1);
}

/** Runs one npm script; prints its output if it fails. */
const runCheck = ([title, script]: readonly [string, string]): Promise<Counts> => {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('close', (status) => {
      const passed = status === 0;
      if (!passed) say(Buffer.concat(output).toString());
      say(`${passed ? '✓' : '✗'} ${title} (${elapsed(start)})`);
      resolve({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 });
    });
  });
};

const runChecks = async (): Promise<Counts> => {
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const check of isAll ? [...checks, react18] : checks)
    counts = addCounts(counts, await runCheck(check));
  return counts;
};

const runTests = (isBuilt: boolean): Promise<Counts> => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-verify-'));
  const countsFile = join(folder, 'counts.json');
  const start = performance.now();
  const env = {
    ...process.env,
    VITRINE_COUNTS: countsFile,
    ...(!isAll && { VITRINE_WITHOUT_SLOW_TESTS: 'yes' }),
    // The tests pack the build of this run.
    ...(isBuilt && { VITRINE_BUILT: 'yes' }),
  };
  return new Promise((resolve) => {
    spawn('npx', ['vitest', 'run'], { stdio: 'inherit', env }).on('close', (status) => {
      const counts = readCounts(countsFile);
      rmSync(folder, { recursive: true });
      const failed = status !== 0 && counts.failed === 0 ? 1 : counts.failed;
      say(`${failed === 0 ? '✓' : '✗'} tests (${elapsed(start)})`);
      resolve({ ...counts, failed });
    });
  });
};

const readCounts = (file: string): Counts => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Counts; // written by our own reporter
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }; // Vitest ended before it could report
  }
};

const built = await runCheck(build);
const [checked, tested] = await Promise.all([runChecks(), runTests(built.failed === 0)]);
const counts = [built, checked, tested].reduce(addCounts);
if (!isAll)
  say(`Not run: ${slowTests.map(({ what }) => what).join('; ')}. Run npm test -- --all for these too.`);
say(`Everything took ${elapsed(began)}.`);
say(closingLine(counts));
process.exit(counts.failed === 0 ? 0 : 1);
