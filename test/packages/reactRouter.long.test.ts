import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WatchedPage } from '../support/watchReport.ts';
import { versionsOf } from './harness/versions.ts';
import { type InstalledHost, installHost } from './installHost.ts';

/** The newest version with all packages in the registry. */
const reactRouter = '8.4.0';

let host: InstalledHost;
let origin = '';
beforeAll(async () => {
  host = await installHost({
    app: 'react-router',
    // The app consists of the guide's files and an additional page.
    guides: ['react-router'],
    signIn: 'app/yourSignIn.ts',
    registry: {
      '@react-router/dev': reactRouter,
      '@react-router/express': reactRouter,
      '@react-router/node': reactRouter,
      'react-router': reactRouter,
      isbot: '5.2.3',
      ...versionsOf('express', 'vite'),
    },
    build: ['react-router', 'build'],
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

const readLoads = async () => Number(await page.locator('#loads').textContent());

describe('a React Router app in framework mode', () => {
  it('type-checks [reactRouter: types]', async () => {
    await expect(host.app.bin('tsc', '-p', '.')).resolves.toBe('');
  });

  it('sends the key in the HTML, hydrates without messages, and requests no second key [reactRouter: shown, silent, server, oneKey]', async () => {
    const response = await fetch(`${origin}/sales`, { headers: { cookie: 'user=head' } });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const html = await response.text();
    expect(html).toContain('tenantUrl');
    expect(html).not.toContain('<iframe');
    await page.goto(`${origin}/sales`);
    await page.locator('[data-state="ready"]').waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Sales by region' }).first().waitFor();
    expect({ said: watched.said, asked: watched.asked }).toEqual({ said: [], asked: [] });
  });

  it.each([
    ['a form is submitted', 'Save'],
    ['its loader runs again', 'Revalidate'],
  ])('keeps the filters of the report when %s [reactRouter: filters]', async (_when, name) => {
    await page.goto(`${origin}/notes`);
    await watched.filter();
    const loads = await readLoads();
    for (let count = 1; count <= 3; count += 1) {
      await page.getByRole('button', { name }).click();
      await expect.poll(readLoads, { timeout: 30_000 }).toBe(loads + count);
    }
    await watched.expectFiltered();
  });

  it('shows the report again after a visit to another route, with the key from the loader [reactRouter: routes]', async () => {
    await page.goto(origin);
    for (let visit = 0; visit < 2; visit += 1) {
      await page.getByRole('link', { name: 'Sales' }).click();
      await page.locator('[data-state="ready"]').waitFor();
      await page.frameLocator('iframe').getByRole('heading', { name: 'Sales by region' }).first().waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'Sales' }).waitFor();
    }
    expect({ said: watched.said, asked: watched.asked }).toEqual({ said: [], asked: [] });
  });
});
