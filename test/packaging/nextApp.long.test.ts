import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPortal, type Portal } from '@vitrine/portal';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { codeBlocks } from './harness/codeBlocks.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { portalEnv } from './harness/portalEnv.ts';
import { versionsOf } from './harness/versions.ts';

/** What the guide shows for Next.js: the app below is these files and a sign-in. */
const snippets = codeBlocks('docs/guides/nextjs.md').filter(({ file }) => file?.startsWith('app/'));

let portal: Portal;
let browser: Browser;
let app: Consumer;
let origin = '';
beforeAll(async () => {
  [portal, browser, app] = await Promise.all([
    createPortal(),
    launchBrowser(),
    createConsumer({
      app: 'next',
      packages: ['contract', 'portal-client', 'server', 'react'],
      registry: {
        next: '16.4.6',
        ...versionsOf('@tanstack/react-query', '@types/node', '@types/react', '@types/react-dom'),
        ...versionsOf('react', 'react-dom', 'typescript'),
      },
    }),
  ]);
  for (const { file = '', code } of snippets) {
    mkdirSync(dirname(join(app.folder, file)), { recursive: true });
    writeFileSync(join(app.folder, file), code);
  }
  // No secret is in the environment of a build.
  await app.bin('next', 'build');
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('no tenant');
  origin = `http://localhost:${await app.serve('start.js', portalEnv(tenant))}`;
});
afterAll(async () => {
  await Promise.all([portal?.close(), browser?.close(), app?.remove()]);
});

/** A browser in which somebody is signed in, and everything it says and asks for. */
const arrive = async (url: string, cookie: string | undefined) => {
  const context = await browser.newContext();
  if (cookie !== undefined) await context.addCookies([{ name: 'user', value: cookie, url }]);
  const page = await context.newPage();
  const said: string[] = [];
  const warned: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => {
    said.push(message.text());
    if (['warning', 'error'].includes(message.type())) warned.push(message.text());
  });
  page.on('pageerror', (error) => said.push(error.message));
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  return { context, page, said, warned, asked };
};

describe('a Next.js app made of the README’s files, installed from tarballs', () => {
  it('type-checks [nextApp: types]', async () => {
    await expect(app.bin('tsc', '-p', '.')).resolves.toBe('');
  });

  it('answers HTML in which the frame already has its address, and which nobody may store [nextApp: server]', async () => {
    const response = await fetch(`${origin}/sales`, { headers: { cookie: 'user=north' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toContain('no-store');
    const [, address = ''] = /<iframe[^>]* src="([^"]+)"/.exec(await response.text()) ?? [];
    expect(address).toMatch(/\/report\/1042\?ev=.{40}/);
  });

  it('hydrates without a word, keeps that very frame, and asks for no second key [nextApp: shown, silent, oneKey]', async () => {
    const { context, page, said, asked } = await arrive(origin, 'north');
    // The first frame is marked before any script of the page runs.
    await page.addInitScript(() => {
      const seen: Element[] = [];
      Object.assign(globalThis, { seenFrames: seen });
      new MutationObserver(() => {
        for (const frame of document.querySelectorAll('iframe')) if (!seen.includes(frame)) seen.push(frame);
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${origin}/sales`);
    const heading = page
      .frameLocator('iframe[title="Sales by region"]')
      .getByRole('heading', { name: 'Sales by region' })
      .first();
    await heading.waitFor();
    await page.locator('[data-state="ready"]').waitFor();
    const frames = () =>
      page.evaluate(() => {
        const { seenFrames } = globalThis as unknown as { seenFrames: Element[] }; // set above
        return [seenFrames.length, seenFrames[0] === document.querySelector('iframe')];
      });
    expect(await frames()).toEqual([1, true]);
    expect(asked.filter((path) => path.startsWith('/api/embed'))).toEqual([]);
    expect(said).toEqual([]);
    await context.close();
  });

  it('renews the key by its route handler, with the frame that is shown standing until then [nextApp: renewed]', async () => {
    const { context, page, said, asked } = await arrive(origin, 'north');
    await page.clock.install();
    await page.goto(`${origin}/sales`);
    await page.locator('[data-state="ready"]').waitFor();
    const address = () => page.locator('iframe').first().getAttribute('src');
    const before = await address();
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/embed/keys'));
    await page.clock.fastForward(44 * 60_000);
    expect((await answered).status()).toBe(200);
    await expect.poll(address, { timeout: 30_000 }).not.toBe(before);
    await page.locator('[data-state="ready"]').waitFor();
    expect(asked.filter((path) => path.startsWith('/api/embed'))).toEqual(['/api/embed/keys']);
    expect(said).toEqual([]);
    await context.close();
  });

  it('fetches a key ahead from a client component, which names the same package as the server component', async () => {
    const { context, page, said, asked } = await arrive(origin, 'north');
    await page.goto(`${origin}/ahead`);
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/embed/keys'));
    await page.getByRole('button', { name: 'Open' }).hover();
    expect((await answered).status()).toBe(200);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('[data-state="ready"]').waitFor();
    expect(asked.filter((path) => path.startsWith('/api/embed'))).toEqual(['/api/embed/keys']);
    expect(said).toEqual([]);
    await context.close();
  });

  it('says in the browser that nobody is signed in, when the server component could not get a key', async () => {
    const { context, page, said } = await arrive(origin, undefined);
    await page.goto(`${origin}/sales`);
    await page.locator('[data-state="failed"][data-code="signed_out"]').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    // The browser itself notes the refusal; React has nothing to add.
    expect(said.filter((text) => !text.includes('status of 401'))).toEqual([]);
    await context.close();
  });
});

describe('the same app under `next dev`, where React says everything it has to say', () => {
  let devOrigin = '';
  beforeAll(async () => {
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('no tenant');
    const port = await app.serve('start.js', { ...portalEnv(tenant), NEXT_DEV: '1' });
    devOrigin = `http://localhost:${port}`;
  });

  it('hydrates without a warning, in StrictMode', async () => {
    const { context, page, warned } = await arrive(devOrigin, 'north');
    await page.goto(`${devOrigin}/sales`);
    await page.locator('[data-state="ready"]').waitFor();
    expect(await page.locator('iframe').count()).toBe(1);
    expect(warned).toEqual([]);
    await context.close();
  });

  it('would warn if the server had written one attribute otherwise', async () => {
    const { context, page, warned } = await arrive(devOrigin, 'north');
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        const frame = document.querySelector('iframe');
        if (!frame) return;
        observer.disconnect();
        frame.title = 'Another report';
      });
      observer.observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${devOrigin}/sales`);
    await expect.poll(() => warned.join(), { timeout: 60_000 }).toContain('hydrat');
    await context.close();
  });
});
