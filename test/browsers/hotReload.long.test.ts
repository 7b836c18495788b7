import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appConfig, forBrowsers } from '../portal/vite/startApp.ts';
import { launchBrowser } from '../support/launchBrowser.ts';

const source = 'test/portal/viteApp';
const folder = mkdtempSync(join(tmpdir(), 'vitrine-hot-'));
const file = join(folder, 'Host.tsx');

let browser: Browser;
let vite: ViteDevServer;
beforeAll(async () => {
  cpSync(source, folder, { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  browser = await launchBrowser();
  const config = appConfig({}, join(folder, '.vite'));
  vite = await createServer({
    ...config,
    ...forBrowsers,
    root: folder,
    server: { port: 0, fs: { strict: false } },
  });
  await vite.listen();
});
beforeEach(() => cpSync(join(source, 'Host.tsx'), file));
afterAll(async () => {
  await Promise.all([browser?.close(), vite?.close()]);
  rmSync(folder, { recursive: true });
});

/** Opens the host's page, edits its component as in an editor, and returns what happened to the report. */
const edit = async (wish: 'component' | 'hook', change: (source: string) => string) => {
  const page = await (await browser.newContext()).newPage();
  const asked = { keys: 0, reports: 0 };
  page.on('request', (request) => {
    if (request.url().endsWith('/api/embed/keys')) asked.keys += 1;
    if (request.url().includes('/report/1042?')) asked.reports += 1;
  });
  const isCalm = async () => {
    await page.locator('[data-state="ready"]').waitFor();
    // Effects of an edit have run, and their requests have left before this response.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    await page.evaluate(() => fetch('/').then((response) => response.text()));
  };
  await page.goto(`${vite.resolvedUrls?.local[0]}?${wish}`);
  await isCalm();
  const frame = await page.locator('iframe').elementHandle();
  const before = { ...asked };
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  await page.getByRole('heading', { name: 'Sales as they are' }).waitFor();
  await isCalm();
  const findings = {
    newKeys: asked.keys - before.keys,
    newReports: asked.reports - before.reports,
    frames: await page.locator('iframe').count(),
    isSameFrame: await frame?.evaluate((element) => element.isConnected).catch(() => false),
  };
  await page.context().close();
  return findings;
};

const words = (source: string) => source.replace('as they were', 'as they are');
const withHook = (source: string) =>
  words(source).replace('  return (\n    <main>', '  useState(0);\n  return (\n    <main>');

describe('a host app whose component is edited while it runs under Vite', () => {
  it.each([
    ['the edited component shows', 'component'],
    ['the edited file renders with the hook', 'hook'],
  ] as const)('keeps the key and the frame of the report that %s', async (_, wish) => {
    expect(await edit(wish, words)).toEqual({ newKeys: 0, newReports: 0, frames: 1, isSameFrame: true });
  });

  it('remounts its report once when the edit adds a hook', async () => {
    const { frames, newReports, newKeys } = await edit('component', withHook);
    expect({ frames, newReports }).toEqual({ frames: 1, newReports: 1 });
    expect(newKeys).toBeLessThanOrEqual(1);
  });

  it('control: requests another key when the file also exports other values, which makes Vite reload the page', async () => {
    writeFileSync(file, `${readFileSync(file, 'utf8')}export const rows = [];\n`);
    const { newKeys, isSameFrame } = await edit('component', words);
    expect({ isSameFrame, hasNewKey: newKeys > 0 }).toEqual({ isSameFrame: false, hasNewKey: true });
  });
});
