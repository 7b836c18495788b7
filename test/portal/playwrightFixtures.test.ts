import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

it('the fixtures serve Playwright’s own runner as well', async () => {
  const { stdout } = await run(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', '--config', 'test/portal/playwright'],
    {
      env: { ...process.env, NODE_OPTIONS: '--conditions=@vitrine/source' },
    },
  );
  expect(stdout).toContain('3 passed');
});
