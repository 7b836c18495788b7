import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forBrowsers, startApp } from '../portal/vite/startApp.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { regionsIn, reportIn } from './demoPage.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const open = async (url: string) => {
  const page = await browser.newPage();
  await page.goto(url);
  return page;
};

describe('an app whose Vite configuration contains the one line `vitrine()`', () => {
  it('shows a report, delivers a click to onAction, and works again after Vite restarts', async () => {
    const app = await startApp(undefined, forBrowsers);
    const page = await open(app.url());
    const regions = await regionsIn(page);
    expect(regions.length).toBeGreaterThan(2);

    const bars = reportIn(page, 'Sales by region').getByRole('listbox', { name: /^Revenue by region/ });
    await bars.press('Home');
    await bars.press('Enter');
    await page.getByText(`"${regions[0]}"`).waitFor();

    // Vite's own script would reload the page, and so interrupt the next navigation.
    await page.goto('about:blank');
    await app.server.restart();
    await page.goto(app.url());
    expect(await regionsIn(page)).toEqual(regions);
    await page.close();
  });

  it('shows only the rows of the configured viewer', async () => {
    const viewer = { userId: 'jane', roleNames: ['region-north'] };
    const app = await startApp({ viewer }, forBrowsers);
    const page = await open(app.url());
    expect(await regionsIn(page)).toEqual(['North']);
    await page.close();
  });
});
