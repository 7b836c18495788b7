import type { Browser, Frame, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Demo } from '../../examples/demo/backend/createDemo.ts';
import { createBuiltDemo } from '../support/createBuiltDemo.ts';
import { findViolations, rulesOfColors } from '../support/findViolations.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { regionsIn, signIn } from './demoPage.ts';

let browser: Browser;
let demo: Demo;
beforeAll(async () => {
  [browser, demo] = await Promise.all([launchBrowser(), createBuiltDemo()]);
});
afterAll(() => Promise.all([browser?.close(), demo?.close()]));

/** Violations in light and in dark colors. The other rules look at what is the same in the dark. */
const violations = async (page: Page, frames: readonly (Page | Frame)[]): Promise<string[]> => {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const frame of frames)
      found.push(...(await findViolations(frame, colorScheme === 'dark' ? { rules: rulesOfColors } : {})));
  }
  return found;
};

it('has no accessibility violations in the host app or the report, in light and dark colors', async () => {
  const page = await browser.newPage();
  await page.goto(demo.demoUrl);
  await page.getByRole('button', { name: 'Head of sales' }).waitFor();
  expect(await violations(page, [page])).toEqual([]);

  await page.getByRole('button', { name: 'Head of sales' }).click();
  await regionsIn(page);
  const report = page.frame({ url: /\/report\/1042/ }) ?? expect.fail('There is no report.');
  expect(await violations(page, [page, report])).toEqual([]);

  // Control: the same search finds a violation in the page and in the report, and colors of the dark.
  const addFaults = () =>
    document.body.insertAdjacentHTML(
      'beforeend',
      '<main><img src="data:,"><p style="color: #111">Dark</p></main>',
    );
  for (const frame of [page, report]) {
    await frame.evaluate(addFaults);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await findViolations(frame)).toContainEqual(expect.stringMatching(/^image-alt: /));
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findViolations(frame, { rules: rulesOfColors })).toEqual([
      expect.stringMatching(/^color-contrast: /),
    ]);
  }
  await page.close();
});

it('is usable with only the keyboard', async () => {
  const page = await browser.newPage();
  await page.goto(demo.demoUrl);
  await page.getByRole('button', { name: 'Head of sales' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await regionsIn(page)).toEqual(['North']);

  await page.getByRole('link', { name: 'Order book' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('iframe[title="Order book"]').waitFor();
  expect(new URL(page.url()).pathname).toBe('/reports/1044');
  await page.goBack();
  await page.locator('iframe[title="Sales by region"]').waitFor();
  await page.close();
});

it('focuses the top of the page after sign-in, and keeps the focus when another user is selected', async () => {
  const page = await browser.newPage();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.goto(demo.demoUrl);
  await page.getByRole('button', { name: 'Head of sales' }).press('Enter');
  await regionsIn(page);
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the report');
  await page.getByLabel('Signed in as').focus();
  await page.keyboard.press('ArrowDown');
  // The report of the person before is shown until the session has changed.
  await expect.poll(() => regionsIn(page), { timeout: 20_000 }).toEqual(['North']);
  expect(await focused()).toContain('Regional manager, North');
  await page.close();
});

it('shows the open report in the list of reports on a narrow screen', async () => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(`${demo.demoUrl}/reports/1045`);
  await page.getByRole('button', { name: 'Head of sales' }).click();
  const place = await page.getByRole('link', { name: 'Executive summary' }).boundingBox();
  expect(place).not.toBeNull();
  expect(Math.floor((place?.x ?? 0) + (place?.width ?? 0))).toBeLessThanOrEqual(360);
  await context.close();
});

it('fits a narrow screen without horizontal scrolling', async () => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await signIn(page, demo.demoUrl, 'Head of sales');
  await regionsIn(page);
  const [scrollWidth, clientWidth] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(scrollWidth).toBe(clientWidth);
  await context.close();
});
