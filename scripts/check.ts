/** The quick check while you work: types, lint, format and words side by side, then the tests that the change affects. */
import { spawn } from 'node:child_process';

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
const checks = ['check:types', 'check:lint', 'check:format', 'check:words'];
const results = await Promise.all(
  checks.map(async (name) => ({ name, ...(await run('npm', 'run', '--silent', name)) })),
);
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
  )),
});

for (const { name, passed, output } of results) {
  if (!passed) process.stdout.write(output);
  process.stdout.write(`${passed ? '✓' : '✗'} ${name}\n`);
}
process.stdout.write(`${((performance.now() - start) / 1000).toFixed(0)} s. npm test runs everything.\n`);
process.exit(results.every(({ passed }) => passed) ? 0 : 1);
