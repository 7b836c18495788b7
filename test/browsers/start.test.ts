import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isPortFree, listen } from '../../examples/demo/backend/listen.ts';

let folder = '';
let running: ChildProcess | undefined;
let squatter: Server | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-start-'));
});
afterEach(() => {
  if (running?.pid !== undefined && running.exitCode === null && running.signalCode === null)
    process.kill(-running.pid, 'SIGKILL');
  squatter?.close();
  rmSync(folder, { recursive: true });
});

/** Runs `npm start` as a terminal does: as a process group leader, so that Ctrl-C reaches the whole group. */
const start = () => {
  const devFile = join(folder, 'dev.json');
  const child = spawn('npm', ['start'], {
    detached: true,
    env: { ...process.env, VITRINE_DEV_FILE: devFile },
  });
  running = child;
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const until = (text: string) =>
    vi.waitFor(() => expect(output).toContain(text), { timeout: 40_000, interval: 50 });
  const pressCtrlC = () => process.kill(-(child.pid ?? 0), 'SIGINT');
  return { devFile, until, pressCtrlC, ended, output: () => output };
};

it('npm start prints every address, ignores addresses meant for other tools, and ends everything with Ctrl-C', async () => {
  const demo = start();
  await demo.until('Press Ctrl-C to stop everything.');

  expect(statSync(demo.devFile).mode & 0o777).toBe(0o600);
  const { demoUrl, portal, exampleRoleNames } = JSON.parse(readFileSync(demo.devFile, 'utf8'));
  expect(Object.keys(portal).sort()).toEqual(
    ['apiBaseUrl', 'apiKey', 'baseUrl', 'passPhrase', 'tenancyName', 'tenantId', 'tenantUrl'].sort(),
  );
  expect(exampleRoleNames).toContain('region-north');
  for (const told of [demoUrl, portal.tenantUrl, portal.tenancyName]) expect(demo.output()).toContain(told);
  for (const secret of [portal.apiKey, portal.passPhrase]) expect(demo.output()).not.toContain(secret);

  const demoPort = Number(new URL(demoUrl).port);
  const portalPort = Number(new URL(portal.tenantUrl).port);
  const session = await fetch(`http://127.0.0.1:${demoPort}/demo/session`);
  expect((await session.json()).people).toHaveLength(4);
  expect(await isPortFree(portalPort)).toBe(false);

  demo.pressCtrlC();
  await demo.ended;
  await vi.waitFor(
    async () => {
      expect(existsSync(demo.devFile)).toBe(false);
      expect(await isPortFree(demoPort)).toBe(true);
      expect(await isPortFree(portalPort)).toBe(true);
    },
    { timeout: 10_000, interval: 50 },
  );
});

it('npm start uses another port when one is taken, and prints it', async () => {
  // Another demo may hold the port, and may end at any moment: wait for it, but not forever.
  const isFree = await vi.waitUntil(() => isPortFree(4300), { timeout: 5_000 }).catch(() => false);
  if (isFree) {
    squatter = createServer();
    await listen(squatter, 4300);
  }
  const demo = start();
  await demo.until('Press Ctrl-C to stop everything.');
  expect(demo.output()).toContain('Port 4300 is in use');
  const { demoUrl } = JSON.parse(readFileSync(demo.devFile, 'utf8'));
  expect(demoUrl).not.toBe('http://localhost:4300');
  demo.pressCtrlC();
  await demo.ended;
});
