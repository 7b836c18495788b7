import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../commands/support/runCommand.ts';
import { codeBlocks } from '../packages/harness/codeBlocks.ts';

const script = codeBlocks('docs/guides/user-sync.md').find(({ code }) => code.startsWith('# nightly.sh'));

/** The file of everybody: nobody is missing. */
const people = (firstName: string) =>
  [
    'email,first name',
    `north.manager@acme.example,${firstName}`,
    ...[
      'administrator',
      'sales.director',
      'plant.manager',
      'south.manager',
      'east.manager',
      'west.manager',
    ].map((name) => `${name}@acme.example,`),
  ].join('\n');

let portal: Portal;
beforeAll(async () => {
  portal = await createPortal();
});
afterAll(() => portal.close());

/** Runs a script as a scheduler would, with the source of `vitrine` on its path. */
const runScript = async (code: string, users: string, env: Readonly<Record<string, string>> = {}) => {
  const tenant = await portal.createTenant();
  const cwd = temporaryFolder();
  const bin = resolve('src/cli/lib/bin.ts');
  writeFileSync(
    join(cwd, 'vitrine'),
    `#!/bin/sh\nexec "${process.execPath}" --conditions=@vitrine/source "${bin}" "$@"\n`,
  );
  chmodSync(join(cwd, 'vitrine'), 0o755);
  writeFileSync(join(cwd, 'nightly.sh'), code);
  writeFileSync(join(cwd, 'people.csv'), users);
  return new Promise<{ exitCode: unknown; stdout: string; stderr: string }>((done) => {
    execFile(
      'sh',
      ['nightly.sh'],
      {
        cwd,
        env: {
          ...process.env,
          PATH: `${cwd}${delimiter}${process.env['PATH'] ?? ''}`,
          VITRINE_BASE_URL: tenant.baseUrl,
          VITRINE_API_KEY: tenant.apiKey,
          ...env,
        },
      },
      (error, stdout, stderr) => done({ exitCode: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
};

describe.skipIf(process.platform === 'win32')('the nightly script of the guide', () => {
  const nightly = script?.code ?? '';

  // Some schedulers and CI systems run scripts with `sh -e`.
  it('applies the plan, also after set -e', async () => {
    expect(await runScript(`set -e\n${nightly}`, people('New'))).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('\n1 changed.\n'),
    });
  });

  it('succeeds when there is nothing to do', async () => {
    expect(await runScript(nightly, people(''))).toMatchObject({
      exitCode: 0,
      stdout: 'Nothing to do: 7 already synced.\n',
    });
  });

  it.each([
    ['sync plan people.csv', 2],
    ['sync plan people.csv --json', 2],
    ['doctor', 1],
    ['users list', 0],
  ])('would see the exit code of `%s` also if nobody reads its output', async (command, code) => {
    const { stderr } = await runScript(
      `{ sleep 0.1; vitrine ${command}; echo "code $?" >&2; } | true`,
      people('New'),
    );
    expect(stderr).toContain(`code ${code}\n`);
    expect(stderr).not.toContain('EPIPE');
  });

  it('fails when the portal does not respond', async () => {
    const closed = { VITRINE_BASE_URL: 'http://127.0.0.1:9' };
    const { exitCode, stdout, stderr } = await runScript(nightly, people('New'), closed);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The address was http://127.0.0.1:9');
  });
});
