import type { Page } from 'playwright';

/** Opens the demo and signs in as a user does. */
export const signIn = async (page: Page, demoUrl: string, person: string): Promise<void> => {
  await page.goto(demoUrl);
  await page.getByRole('button', { name: person }).click();
};

/** The content of the visible report. */
export const reportIn = (page: Page, title: string) =>
  page.frameLocator(`iframe[title="${title}"] >> visible=true`);

/** The regions in the "Sales by region" chart, as a screen reader announces them. */
export const regionsIn = async (page: Page): Promise<string[]> => {
  const options = reportIn(page, 'Sales by region')
    .getByRole('listbox', { name: /^Revenue by region/ })
    .getByRole('option');
  await options.first().waitFor({ state: 'attached' });
  return (await options.allTextContents()).map((text) => /^\w+/.exec(text)?.[0] ?? text);
};
