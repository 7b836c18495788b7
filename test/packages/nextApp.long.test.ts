import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WatchedPage } from '../support/watchReport.ts';
import { type InstalledHost, installHost } from './installHost.ts';

let host: InstalledHost;
let origin = '';
beforeAll(async () => {
  host = await installHost({
    app: 'next',
    // The app consists of the guide's files, a sign-in and additional pages.
    guides: ['nextjs'],
    signIn: 'app/yourSignIn.ts',
    registry: { next: '16.4.6' },
    build: ['next', 'build'],
  });
  origin = await host.serve('next start --port 0');
});
afterAll(() => host?.close());

let page: Page;
let watched: WatchedPage;
beforeEach(async () => {
  watched = await host.open();
  page = watched.page;
});

const signIn = (user: string) => page.context().addCookies([{ name: 'user', value: user, url: origin }]);

describe('a Next.js app made of the README’s files, installed from tarballs', () => {
  it('type-checks [nextApp: types]', async () => {
    await expect(host.app.bin('tsc', '-p', '.')).resolves.toBe('');
  });

  it('sends HTML that must not be cached, with the key but without the frame [nextApp: server]', async () => {
    const response = await fetch(`${origin}/sales`, { headers: { cookie: 'user=north' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toContain('no-store');
    const html = await response.text();
    expect(html).toContain('tenantUrl');
    expect(html).not.toContain('<iframe');
  });

  it('hydrates without console messages, adds one frame, and requests no second key [nextApp: shown, silent, oneKey]', async () => {
    await signIn('north');
    // The first frame is marked before any script of the page runs.
    await page.addInitScript(() => {
      const seen: Element[] = [];
      Object.assign(globalThis, { seenFrames: seen });
      new MutationObserver(() => {
        for (const frame of document.querySelectorAll('iframe')) if (!seen.includes(frame)) seen.push(frame);
      }).observe(document, { childList: true, subtree: true });
    });
    let loads = 0;
    page.on('request', (request) => {
      if (/^\/report\/\d+$/.test(new URL(request.url()).pathname)) loads += 1;
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
    // React moves streamed content below a `<Suspense>` into place, which reloads a frame.
    expect(loads).toBe(1);
    expect(watched.asked).toEqual([]);
    expect(watched.said).toEqual([]);
  });

  it('renews the key with its route handler, and shows the current frame until then [nextApp: renewed]', async () => {
    await signIn('north');
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
    expect(watched.asked).toEqual(['/api/embed/keys']);
    expect(watched.said).toEqual([]);
  });

  describe('after its data is loaded again', () => {
    const readLoads = async () => Number(await page.locator('#loads').textContent());
    const press = async (name: string) => {
      for (let count = 0; count < 3; count += 1) {
        const loads = await readLoads();
        await page.getByRole('button', { name }).click();
        // Next may render the page again to prefetch it.
        await expect.poll(readLoads, { timeout: 30_000 }).toBeGreaterThan(loads);
      }
    };

    it.each([
      ['by a server action', 'Save'],
      ['by router.refresh()', 'Refresh'],
    ])('keeps the filters of the report: %s [nextApp: filters]', async (_how, button) => {
      await signIn('head');
      await page.goto(`${origin}/notes`);
      await watched.filter();
      const loads = await readLoads();
      await press(button);
      expect(await readLoads()).toBeGreaterThan(loads);
      await watched.expectFiltered();
    });

    it('control: a report that the page remounts loses its filters', async () => {
      await signIn('head');
      await page.goto(`${origin}/notes?remount`);
      await watched.filter();
      await press('Refresh');
      await expect(watched.expectFiltered()).rejects.toThrow('opened');
    });
  });

  it('prefetches a key in a client component that imports the same package as the server component', async () => {
    await signIn('north');
    await page.goto(`${origin}/ahead`);
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/embed/keys'));
    await page.getByRole('button', { name: 'Open' }).hover();
    expect((await answered).status()).toBe(200);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('[data-state="ready"]').waitFor();
    expect(watched.asked).toEqual(['/api/embed/keys']);
    expect(watched.said).toEqual([]);
  });

  it('shows in the browser that nobody is signed in when the server component gets no key', async () => {
    await page.goto(`${origin}/sales`);
    await page.locator('[data-state="failed"][data-code="signed_out"]').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    // The browser itself logs the 401; React logs nothing.
    expect(watched.said.filter((text) => !text.includes('status of 401'))).toEqual([]);
  });
});

describe('the same app under `next dev`, where React prints its warnings', () => {
  let devOrigin = '';
  beforeAll(async () => {
    devOrigin = await host.serve('next dev --port 0');
  });

  let warned: string[];
  beforeEach(() => {
    warned = [];
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) warned.push(message.text());
    });
  });

  it('hydrates without a warning, in StrictMode', async () => {
    await signIn('north');
    await page.goto(`${devOrigin}/sales`, { timeout: 120_000 }); // which compiles the page
    await page.locator('[data-state="ready"]').waitFor();
    expect(await page.locator('iframe').count()).toBe(1);
    expect(warned).toEqual([]);
  });

  it('control: would warn if the server had rendered one attribute differently', async () => {
    await signIn('north');
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        // The server renders no frame.
        const report = document.querySelector('[data-state]');
        if (!report) return;
        observer.disconnect();
        report.className = 'another';
      });
      observer.observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${devOrigin}/sales`);
    await expect.poll(() => warned.join(), { timeout: 60_000 }).toContain('hydrat');
  });
});
