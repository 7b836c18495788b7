import { createPortal, type Portal } from '@vitrine/portal';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createDemo, type Demo } from '../../stories/demo/backend/createDemo.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { reportIn, signIn } from './signIn.ts';

let browser: Browser;
let demo: Demo;
let revived: Portal | undefined;
beforeAll(async () => {
  [browser, demo] = await Promise.all([launchBrowser(), createDemo()]);
});
afterAll(() => Promise.all([browser?.close(), demo?.close(), revived?.close()]));

it('the demo takes the portal down on request: the open report stays, another waits and returns by itself', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const page = await browser.newPage();
  await signIn(page, demo.demoUrl, 'Regional manager, North');
  const ready = page.locator('[data-state="ready"]');
  await ready.waitFor();
  await page.getByRole('button', { name: 'Portal down' }).click();
  await page.getByText('This report stays').waitFor();
  expect(await ready.count()).toBe(1);

  await page.getByRole('link', { name: 'Order book' }).click();
  await page.locator('[data-state="failed"][data-code="portal_unreachable"]').waitFor();
  expect(warned).toHaveBeenCalled();
  demo.portal.faults.clear(); // the demo does so after a while
  await page.locator('iframe[title="Order book"]').waitFor();
  await ready.waitFor();
  expect(await ready.count()).toBe(1);
  await page.close();
});

it('while the portal is down the report says so and offers Retry; once it is back, the report appears', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const port = Number(new URL(demo.portal.url).port);
  await demo.portal.close();

  const page = await browser.newPage();
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/embed/keys')) requests += 1;
  });
  await signIn(page, demo.demoUrl, 'Regional manager, North');
  const failed = page.locator('[data-state="failed"]');
  await failed.waitFor();
  expect(await failed.getAttribute('data-code')).toBe('portal_unreachable');
  expect(await page.getByRole('alert').textContent()).toContain('not answering');
  expect(await page.locator('iframe').count()).toBe(0);
  expect(warned).toHaveBeenCalled(); // the host's operator is told too

  const before = requests;
  await page.getByRole('button', { name: 'Try again' }).click();
  await vi.waitFor(() => expect(requests).toBeGreaterThan(before));

  revived = await createPortal({ port });
  const heading = reportIn(page, 'Sales by region').getByRole('heading', { name: 'Sales by region' }).first();
  await heading.waitFor();
  expect(await heading.isVisible()).toBe(true);
});
