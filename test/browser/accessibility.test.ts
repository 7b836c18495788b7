import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../stories/demo/backend/createDemo.ts';
import { createBuiltDemo } from '../support/createBuiltDemo.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { regionsIn } from './regionsIn.ts';
import { signIn } from './signIn.ts';

let browser: Browser;
let demo: Demo;
beforeAll(async () => {
  [browser, demo] = await Promise.all([launchBrowser(), createBuiltDemo()]);
});
afterAll(() => Promise.all([browser?.close(), demo?.close()]));

/** What axe finds, as one line a rule, with the place where it was found. */
const violations = async (page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> => {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  // The other rules look at what is the same in the dark.
  if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
  const { violations: found } = await axe.analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' > ')).join(', ')}`);
};

describe.each(['light', 'dark'] as const)('the demo in %s colors', (colorScheme) => {
  it('has no accessibility violations in the host app or the report', async () => {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    await page.goto(demo.demoUrl);
    await page.getByRole('button', { name: 'Head of sales' }).waitFor();
    expect(await violations(page, colorScheme)).toEqual([]);

    await signIn(page, demo.demoUrl, 'Head of sales');
    await regionsIn(page);
    expect(await violations(page, colorScheme)).toEqual([]);
    await context.close();
  });
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
