import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../support/standInPortal.ts';
import { sharedRegistry } from './harness/versions.ts';
import { type InstalledHost, installHost } from './installHost.ts';
import { hasNginx, type Nginx, startNginx } from './startNginx.ts';

let host: InstalledHost;
let origin = '';
beforeAll(async () => {
  host = await installHost({
    app: 'spa',
    guides: ['fastify', 'hono'],
    signIn: 'yourSignIn.ts',
    packages: ['contract', 'portal-client', 'server', 'express', 'react'],
    registry: sharedRegistry,
    tools: ['vite'],
    build: ['vite', 'build', '--logLevel', 'warn'],
  });
  cpSync('test/packages/apps/readme/serve.ts', join(host.app.folder, 'serve.ts'));
  origin = await host.serve('node server.js');
  await host.portal.setActionTarget(host.tenant.tenancyName, `${origin}/api/embed/webhook`);
});
afterAll(() => host?.close());

let page: Page;
let said: string[];
/** Responses to key requests. */
let keys: string[];
beforeEach(async () => {
  ({ page, said, keys } = await host.open());
});

const waitForReport = async (where: Pick<Page, 'locator' | 'frameLocator'> = page) => {
  await where.locator('[data-state="ready"]').first().waitFor();
  const heading = where.frameLocator('iframe').first().getByRole('heading', { level: 1 });
  await heading.waitFor();
  return heading.textContent();
};

/** Clicks in the report return to the page. */
const expectClicks = async (): Promise<void> => {
  await waitForReport();
  const bars = page
    .frameLocator('iframe')
    .first()
    .getByRole('listbox', { name: /^Revenue by region/ });
  await bars.getByRole('option').first().waitFor({ state: 'attached' });
  await bars.press('Home');
  await bars.press('Enter');
  await page.getByRole('listitem').filter({ hasText: 'North' }).first().waitFor();
};

it('shows the report without console messages, and delivers clicks to onAction [singlePage: shown, silent, clicks]', async () => {
  await page.goto(`${origin}/?view=listening`);
  await expectClicks();
  expect(said).toEqual([]);
});

it.each([
  ['express4.cjs', {}, 'shows the report without a complaint [express4: shown, silent]'],
  ['serve.ts', { BACKEND: './server.ts' }, 'shows it with the guide’s server [fastify: shown, silent]'],
  ['serve.ts', { BACKEND: './server/index.ts' }, 'shows it with the guide’s server [hono: shown, silent]'],
])('%s %o: %s', async (...[file, env]) => {
  const url = await host.serve(`node ${file}`, env);
  await page.context().addCookies([{ name: 'user', value: 'north', url }]);
  await page.goto(url);
  expect(await waitForReport()).toBe('Sales by region');
  expect(keys).toHaveLength(1);
  expect(said).toEqual([]);
});

describe('two copies of the library on one page, as with micro-frontends', () => {
  const openCopies = async (view: string): Promise<void> => {
    await page.goto(`${origin}/?copies&view=${view}`);
    await expect.poll(() => page.locator('[data-state="ready"]').count(), { timeout: 30_000 }).toBe(2);
  };

  it('have a key and a stream each, and receive every click [copies: shown, silent, clicks]', async () => {
    await openCopies('listening');
    expect(keys).toHaveLength(2);
    await expectClicks();
    await expect.poll(() => page.getByRole('listitem').count()).toBe(2);
    expect(said).toEqual([]);
  });

  it('share one key and its renewal through a shared query client [copies: oneKey, renewed]', async () => {
    await page.clock.install();
    await openCopies('shared');
    expect(keys).toHaveLength(1);
    const addresses = () =>
      page.locator('iframe').evaluateAll((frames) => frames.map((frame) => frame.getAttribute('src')));
    const before = new Set(await addresses());
    expect(before.size).toBe(1);
    await page.clock.fastForward(44 * 60_000);
    await expect
      .poll(async () => (await addresses()).map((address) => before.has(address)), { timeout: 30_000 })
      .toEqual([false, false]);
    expect(keys).toHaveLength(2);
    expect(said).toEqual([]);
  });
});

describe('a page with a nonce policy, trusted types and an opener policy', () => {
  it.each(['report', 'concealed'])(
    'shows the report without console messages: %s [strict: shown, silent]',
    async (view) => {
      await page.goto(`${origin}/?policy=strict&view=${view}`);
      expect(await waitForReport()).toBe('Sales by region');
      expect(said).toEqual([]);
    },
  );
});

describe('a cross-origin isolated page', () => {
  it.each(['report', 'concealed'])(
    'shows the report of a portal that has not opted in: %s [isolated: shown, silent]',
    async (view) => {
      await page.goto(`${origin}/?policy=isolated&view=${view}`);
      expect(await waitForReport()).toBe('Sales by region');
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      expect(said).toEqual([]);
    },
  );
});

describe('a host that persists its shared query client in localStorage', () => {
  const readStorage = () => page.evaluate(() => JSON.stringify(localStorage));

  it('persists its own data and no key, filtered by the query key prefix [persisted: shown, storage]', async () => {
    await page.goto(`${origin}/?view=persisted`);
    await waitForReport();
    await expect.poll(readStorage).toContain('dark');
    const [key = 'none'] = keys;
    expect((await readStorage()).includes(key)).toBe(false);
    await page.reload();
    expect(await waitForReport()).toBe('Sales by region');
  });

  it('control: persists the key without the filter', async () => {
    await page.goto(`${origin}/?view=persisted&keys`);
    await waitForReport();
    const [key = 'none'] = keys;
    await expect.poll(async () => (await readStorage()).includes(key)).toBe(true);
  });
});

it('requests one key for five identical reports among twelve [manyReports: shown, silent, oneKey]', async () => {
  await page.goto(`${origin}/?view=many`);
  const ready = page.locator('[data-state="ready"]');
  await expect.poll(() => ready.count(), { timeout: 120_000 }).toBe(12);
  expect(keys).toHaveLength(8);
  expect(await page.locator('iframe').count()).toBe(12);
  expect(said).toEqual([]);
});

it('shows the report of each route on a page with <base href> and hash routes, and goes back [hashRoutes: shown, silent, routes]', async () => {
  await page.goto(`${origin}/?view=hash&base`);
  expect(await waitForReport()).toBe('Sales by region');
  await page.evaluate(() => {
    location.hash = '#/reports/1044';
  });
  await page.locator('iframe[title="Report 1044"]').waitFor();
  expect(await waitForReport()).toBe('Order book');
  await page.goBack();
  await page.locator('iframe[title="Report 1042"]').waitFor();
  expect(await waitForReport()).toBe('Sales by region');
  expect(said).toEqual([]);
});

it('shows the report when the host itself is in a frame of another site [framed: shown, silent]', async () => {
  const outer = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<link rel="icon" href="data:,"><iframe src="${origin}/" width="900" height="700"></iframe>`,
    );
  });
  const url = (await listen(outer)).replace('127.0.0.1', 'outer.localhost');
  await page.goto(url);
  const framed = page.frames().find((frame) => frame.url().startsWith(origin));
  expect(framed && (await waitForReport(framed))).toBe('Sales by region');
  expect(said).toEqual([]);
  await closeServer(outer);
});

describe.skipIf(!hasNginx)('behind nginx, under a path, compressed and buffered', () => {
  let nginx: Nginx;
  beforeAll(async () => {
    const upstream = origin.replace('localhost', '127.0.0.1');
    nginx = await startNginx(`
      location /apps/sales/ { proxy_pass ${upstream}/; proxy_set_header Host $http_host; }
      location /careless/ { proxy_pass ${upstream}/; }
      location /buffered/ { proxy_pass ${upstream}/; proxy_ignore_headers X-Accel-Buffering; }`);
  });
  afterAll(() => nginx?.stop());

  it.each(['/apps/sales/', '/careless/'])('shows the report at %s [nginx: shown, silent]', async (path) => {
    const encodings: (string | undefined)[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/keys')) encodings.push(response.headers()['content-encoding']);
    });
    await page.goto(nginx.url + path);
    expect(await waitForReport()).toBe('Sales by region');
    expect(encodings).toEqual(['gzip']);
    expect(said).toEqual([]);
  });

  it('delivers clicks to onAction [nginx: clicks]', async () => {
    await page.goto(`${nginx.url}/apps/sales/?view=listening`);
    await expectClicks();
    expect(said).toEqual([]);
  });

  it('reports a stream that nginx buffers', async () => {
    await page.goto(`${nginx.url}/buffered/?view=listening`);
    await waitForReport();
    await page.getByText('Stream: buffered').waitFor();
    expect(said).toEqual([]);
  });
});
