import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApp } from './support/createApp.ts';
import { runCommand, temporaryFolder } from './support/runCommand.ts';

afterEach(() => vi.unstubAllEnvs());

/** Package managers that write a file to the folder where they ran: `ran-npm`. */
const fakePackageManagers = (status = 0) => {
  const folder = temporaryFolder();
  for (const name of ['npm', 'pnpm', 'yarn', 'bun'])
    writeFileSync(join(folder, name), `#!/bin/sh\n: > ran-${name}\nexit ${status}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
};
const ran = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('ran-'));

const express = "const express = require('express');\nconst app = express();\n";

describe('the packages of vitrine init', () => {
  it.each([
    ['pnpm', 'pnpm-lock.yaml', { 'pnpm-workspace.yaml': '' }],
    ['yarn', 'yarn.lock', { 'package.json': '{"workspaces":["apps/*"]}' }],
    ['pnpm', 'other', { 'package.json': '{"workspaces":["apps/*"],"packageManager":"pnpm@10.0.0"}' }],
    ['npm', 'yarn.lock', { 'package.json': '{"private":true}' }],
  ])('are installed with %s below a folder with %s and %j', async (manager, lockFile, files) => {
    fakePackageManagers();
    const inApp = { 'apps/web/package.json': '{"dependencies":{"express":"5"}}', 'apps/web/app.js': express };
    const { cwd } = createApp([], { 'package.json': '{}', [lockFile]: '', ...files, ...inApp });
    const web = join(cwd, 'apps/web');
    expect(await runCommand('init --yes', { cwd: web })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`1. ${manager} run vitrine:portal`),
    });
    expect(ran(web)).toEqual([`ran-${manager}`]);
  });

  it('are removed again only if they were installed', async () => {
    fakePackageManagers();
    const app = createApp(['express'], { 'app.js': express });
    await app.init();
    await app.vitrine('init --revert --yes');
    expect(ran(app.cwd)).toEqual([]);
    await app.vitrine('init --yes');
    mkdirSync(join(app.cwd, 'node_modules'));
    fakePackageManagers(1);
    expect(await app.vitrine('init --revert --yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/npm install failed\. .* the files are restored\.\n/),
    });
    expect(app.read('app.js')).toBe(express);
  });

  it('appear in the lines to remove that init --revert prints for edited files', async () => {
    const app = createApp(['express'], { 'app.js': express });
    await app.init();
    for (const file of ['app.js', 'vitrine.mjs'])
      writeFileSync(join(app.cwd, file), `${app.read(file)}// mine\n`);
    expect(await app.revert()).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(
        /Remove vitrine\.mjs if .*\n +Remove from app\.js:\n.*require\('\.\/vitrine\.mjs'\);\n/,
      ),
    });
  });
});

it('vitrine init lists the installation step while packages are missing, and where to see the report', async () => {
  const app = createApp(['vite', 'react'], { 'vite.config.js': 'export default { plugins: [] };\n' });
  const steps = '1. npm install\n2. npm run dev\n3. Open http://localhost:5173/vitrine.html\n';
  for (let run = 0; run < 2; run += 1)
    expect(await app.init()).toMatchObject({ stdout: expect.stringContaining(steps) });
  for (const name of ['@vitrine/react', '@vitrine/vite', '@tanstack/react-query'])
    mkdirSync(join(app.cwd, 'node_modules', name), { recursive: true });
  expect(await app.init()).toMatchObject({ stdout: expect.stringContaining('\n1. npm run dev\n') });
});

it('vitrine init says what to do after a canceled installation', async () => {
  const app = createApp(['express'], { 'app.js': express });
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\nexec sleep 30\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
  const controller = new AbortController();
  const run = runCommand('init --yes', { cwd: app.cwd, signal: controller.signal });
  await vi.waitFor(() => expect(app.read('vitrine.mjs')).toContain('viewer'), { timeout: 20_000 });
  setTimeout(() => controller.abort(), 200);
  expect(await run).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(
      'npm install did not finish. Run it again, or undo everything with: vitrine init --revert.',
    ),
  });
});

it('vitrine init must run in an app, not at the root of a workspace', async () => {
  const { init } = createApp([], { 'package.json': '{"workspaces":["apps/*"]}' });
  expect(await init()).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('the folder of the app'),
  });
});

it('vitrine init names the script that starts the server, next to one that starts Vite', async () => {
  const scripts = { dev: 'vite', start: 'node app.js' };
  const manifest = { scripts, dependencies: { express: '5', vite: '7' } };
  const app = createApp([], { 'package.json': JSON.stringify(manifest), 'app.js': express });
  expect(await app.init()).toMatchObject({ stdout: expect.stringContaining('3. npm run start\n') });
});
