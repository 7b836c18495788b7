import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { WatchedPage } from '../support/watchReport.ts';
import { versionsOf } from './harness/versions.ts';
import { type InstalledHost, installHost } from './installHost.ts';

let host: InstalledHost;
let origin = '';
beforeAll(async () => {
  host = await installHost({
    app: 'tanstack-start',
    // The app consists of the guide's files and additional pages.
    guides: ['tanstack-start'],
    signIn: 'src/yourSignIn.ts',
    registry: {
      '@tanstack/react-start': '1.169.5',
      ...versionsOf('@tanstack/react-router', '@vitejs/plugin-react', 'vite'),
      ...versionsOf('@hono/node-server', 'hono'),
    },
    build: ['vite', 'build', '--logLevel', 'warn'],
  });
  origin = await host.serve('node server.js');
});
afterAll(() => host?.close());

let page: Page;
let watched: WatchedPage;
beforeEach(async () => {
  watched = await host.open();
  page = watched.page;
  await page.context().addCookies([{ name: 'user', value: 'head', url: origin }]);
});

it('type-checks [tanstackStart: types]', async () => {
  await expect(host.app.bin('tsc', '-p', '.')).resolves.toBe('');
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

it('sends the key in HTML that must not be cached, and requests no second key [tanstackStart: server, oneKey]', async () => {
  const response = await fetch(`${origin}/ahead`, { headers: { cookie: 'user=head' } });
  expect(response.headers.get('cache-control')).toBe('no-store');
  const html = await response.text();
  expect(html).toContain('tenantUrl');
  expect(html).not.toContain('<iframe');
  await page.goto(`${origin}/ahead`);
  await page.locator('[data-state="ready"]').waitFor();
  expect({ said: watched.said, asked: watched.asked }).toEqual({ said: [], asked: [] });
});

it('keeps the filters of the report when its loader runs again [tanstackStart: filters]', async () => {
  await page.goto(`${origin}/ahead`);
  await watched.filter();
  const readLoads = async () => Number(await page.locator('#loads').textContent());
  const loads = await readLoads();
  await page.getByRole('button', { name: 'Revalidate' }).click();
  await expect.poll(readLoads, { timeout: 30_000 }).toBe(loads + 1);
  await watched.expectFiltered();
});
