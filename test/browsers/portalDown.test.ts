import { createPortal, type Portal } from '@vitrine/portal';
import type { Browser, Request } from 'playwright';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Demo } from '../../examples/demo/backend/createDemo.ts';
import { createBuiltDemo } from '../support/createBuiltDemo.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { reportIn, signIn } from './demoPage.ts';

/** Between two requests, even when "Try again" is pressed repeatedly. */
const shortestPauseMs = 1_000;
/** While an error is visible. */
const longestPauseMs = 30_000;

let browser: Browser;
let demo: Demo;
let revived: Portal | undefined;
beforeAll(async () => {
  [browser, demo] = await Promise.all([launchBrowser(), createBuiltDemo()]);
});
afterAll(async () => {
  // The host's last words: how often the portal was down.
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await Promise.all([browser?.close(), demo?.close(), revived?.close()]);
  warned.mockRestore();
});

it('keeps the open report when the demo stops the portal, and shows the other report when it is back', async () => {
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

it('shows an error with "Try again" while the portal is down, and the report once it is back', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const port = Number(new URL(demo.portal.url).port);
  await demo.portal.close();

  const page = await browser.newPage();
  // The test advances the delays between requests, so that it does not wait for them.
  await page.clock.install();
  const isKeyRequest = (request: Request) => request.url().endsWith('/api/embed/keys');
  await signIn(page, demo.demoUrl, 'Regional manager, North');
  const failed = page.locator('[data-state="failed"]');
  await failed.waitFor();
  expect(await failed.getAttribute('data-code')).toBe('portal_unreachable');
  expect(await page.getByRole('alert').textContent()).toContain('isn’t responding');
  expect(await page.locator('iframe').count()).toBe(0);
  expect(warned).toHaveBeenCalled(); // the host's operator is notified too

  const asked = page.waitForRequest(isKeyRequest);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.clock.fastForward(shortestPauseMs);
  await asked;
  await failed.waitFor();

  revived = await createPortal({ port });
  await page.clock.fastForward(longestPauseMs);
  const heading = reportIn(page, 'Sales by region').getByRole('heading', { name: 'Sales by region' }).first();
  await heading.waitFor();
  expect(await heading.isVisible()).toBe(true);
});
