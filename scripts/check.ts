/**
 * The quick check while you work: types, lint, format and code lines side by side, then the tests that the change
 * affects. Tests that start processes or databases take minutes: only `npm test` runs them.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';

const run = (command: string, ...args: string[]): Promise<{ passed: boolean; output: string }> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', (status) =>
      resolve({ passed: status === 0, output: Buffer.concat(chunks).toString() }),
    );
  });

const start = performance.now();
const checks = ['check:types', 'check:lint', 'check:format', 'check:lines'];
const results = await Promise.all(
  checks.map(async (name) => ({ name, ...(await run('npm', 'run', '--silent', name)) })),
);

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(existsSync);
const changed = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];

/** Imports of tests that start a process or a database. */
const startsOthers = /Process\.ts'|child_process|runCommand|[pP]ostgres|databases\.ts|places\.ts/;
const tests = globSync('test/!(browsers|packages)/**/*.test.{ts,tsx}').filter(
  (file) => changed.includes(file) || !startsOthers.test(readFileSync(file, 'utf8')),
);

if (changed.length > 0)
  results.push({
    name: 'tests that the change affects',
    ...(await run(
      'npx',
      'vitest',
      'run',
      '--project',
      'node',
      '--project',
      'dom',
      '--changed',
      '--passWithNoTests',
      ...tests,
    )),
  });

for (const { name, passed, output } of results) {
  if (!passed || name === 'check:lines') process.stdout.write(output);
  process.stdout.write(`${passed ? '✓' : '✗'} ${name}\n`);
}
process.stdout.write(
  `${((performance.now() - start) / 1000).toFixed(0)} s. npm test -- --all runs everything.\n`,
);
process.exit(results.every(({ passed }) => passed) ? 0 : 1);
