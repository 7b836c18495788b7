import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder = '';
// Inside the repository, where the file finds Vitest.
beforeEach(() => {
  folder = mkdtempSync(resolve('node_modules/.cache/reporter-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (text: string) => {
  writeFileSync(join(folder, 'one.test.js'), `import { afterAll, it } from 'vitest';\n${text}`);
  const { VITEST, VITRINE_COUNTS, ...env } = process.env;
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      resolve('node_modules/vitest/vitest.mjs'),
      'run',
      '--root',
      folder,
      '--reporter',
      resolve('scripts/closingLineReporter.ts'),
    ],
    { encoding: 'utf8', env },
  );
  return { status, lastLine: stdout.trim().split('\n').at(-1) };
};

describe('the reporter of a test run', () => {
  it('passes a run without console output', () => {
    expect(run("it('passes', () => {});")).toEqual({ status: 0, lastLine: '1 passed, 0 failed, 0 skipped' });
  });

  it('fails a run with console output while a file loads and after its last test', () => {
    const text = "console.log('stray'); afterAll(() => console.warn('stray')); it('passes', () => {});";
    expect(run(text)).toEqual({ status: 1, lastLine: '1 passed, 2 failed, 0 skipped' });
  });
});
