import { createPortal, type Portal } from '@vitrine/portal';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findViolations, rulesOfColors } from '../support/findViolations.ts';
import { launchBrowser } from '../support/launchBrowser.ts';

let browser: Browser;
let portal: Portal;
beforeAll(async () => {
  [browser, portal] = await Promise.all([launchBrowser(), createPortal()]);
});
afterAll(() => Promise.all([browser?.close(), portal?.close()]));

/** Rules that Swagger UI breaks in its own markup: headings, landmarks, the list of servers, the colors of its links. */
const ofSwaggerUi = ['color-contrast', 'heading-order', 'nested-interactive', 'region', 'select-name'];
const ruleOf = (violation: string) => violation.split(':', 1)[0] ?? '';

it('has no accessibility violations in the documentation, apart from those of Swagger UI', async () => {
  const page = await browser.newPage();
  await page.goto(`${portal.url}/docs`);
  await page.locator('.opblock').first().waitFor();
  const found = (await findViolations(page)).filter((one) => !ofSwaggerUi.includes(ruleOf(one)));
  expect(found).toEqual([]);
  expect(await findViolations(page, { exclude: ['#api'] })).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findViolations(page, { rules: rulesOfColors })).toEqual([]);

  // Control: of the page's own markup, no rule is left out.
  await page.evaluate(() =>
    document.querySelector('nav')?.insertAdjacentHTML('beforeend', '<img src="data:,"><a href="/"></a>'),
  );
  const rules = (await findViolations(page, { exclude: ['#api'] })).map(ruleOf);
  expect(rules).toEqual(expect.arrayContaining(['image-alt', 'link-name']));
  await page.close();
});
