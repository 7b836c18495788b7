import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPortal, type Portal } from '@vitrine/portal';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { codeBlocks } from '../packaging/harness/codeBlocks.ts';
import { type Consumer, createConsumer } from '../packaging/harness/createConsumer.ts';
import { portalEnv } from '../packaging/harness/portalEnv.ts';
import { versionsOf } from '../packaging/harness/versions.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { type WatchedPage, watchReport } from '../support/watchReport.ts';

let portal: Portal;
let browser: Browser;
let app: Consumer;
let origin = '';
beforeAll(async () => {
  [portal, browser, app] = await Promise.all([
    createPortal(),
    launchBrowser(),
    createConsumer({
      apps: 'test/hosts/apps',
      app: 'tanstack-start',
      packages: ['contract', 'portal-client', 'server', 'react'],
      registry: {
        '@tanstack/react-start': '1.169.5',
        ...versionsOf('@tanstack/react-query', '@tanstack/react-router', '@vitejs/plugin-react', 'vite'),
        ...versionsOf('@types/node', '@types/react', '@types/react-dom', 'typescript'),
        ...versionsOf('@hono/node-server', 'hono', 'react', 'react-dom'),
      },
    }),
  ]);
  // The app is the files of the guide, and pages beside them.
  for (const { file, code } of codeBlocks('docs/guides/tanstack-start.md')) {
    if (file === undefined) continue;
    mkdirSync(dirname(join(app.folder, file)), { recursive: true });
    writeFileSync(join(app.folder, file), code);
  }
  await app.bin('vite', 'build', '--logLevel', 'warn');
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The portal has no tenant.');
  origin = `http://localhost:${await app.serve('server.js', portalEnv(tenant))}`;
});
afterAll(() => Promise.all([portal?.close(), browser?.close(), app?.remove()]));

let page: Page;
let watched: WatchedPage;
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
  watched = watchReport(page);
});
afterEach(() => page.context().close());

it('type-checks [tanstackStart: types]', async () => {
  await expect(app.bin('tsc', '-p', '.')).resolves.toBe('');
});

it('shows the report of the guide, and shows it again after a visit to another route [tanstackStart: shown, silent, routes]', async () => {
  await page.goto(origin);
  for (let visit = 0; visit < 2; visit += 1) {
    await page.getByRole('link', { name: 'Sales' }).click();
    await page.locator('[data-state="ready"]').waitFor();
    await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Sales' }).waitFor();
  }
  expect(watched.said).toEqual([]);
});

it('sends the frame with the HTML, which nobody may store, and asks for no second key [tanstackStart: server, oneKey]', async () => {
  const response = await fetch(`${origin}/ahead`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toMatch(/<iframe[^>]* src="[^"]+\/report\/1042\?ev=.{40}/);
  await page.goto(`${origin}/ahead`);
  await page.locator('[data-state="ready"]').waitFor();
  expect({ said: watched.said, asked: watched.asked }).toEqual({ said: [], asked: [] });
});

it('keeps the report as the reader left it when its loader runs again [tanstackStart: filters]', async () => {
  await page.goto(`${origin}/ahead`);
  await watched.filter();
  const readLoads = async () => Number(await page.locator('#loads').textContent());
  const loads = await readLoads();
  await page.getByRole('button', { name: 'Revalidate' }).click();
  await expect.poll(readLoads, { timeout: 30_000 }).toBe(loads + 1);
  await watched.expectFiltered();
});
