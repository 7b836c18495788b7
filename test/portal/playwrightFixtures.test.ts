import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

it('the fixtures also work in Playwright’s own runner', async () => {
  const { stdout } = await run(
    process.execPath,
    ['node_modules/playwright/cli.js', 'test', '--config', 'test/portal/playwright'],
    {
      env: { ...process.env, NODE_OPTIONS: '--conditions=@vitrine/source' },
    },
  );
  expect(stdout).toContain('3 passed');
});
