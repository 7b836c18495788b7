import type { Page } from 'playwright';
import { reportIn } from './signIn.ts';

/** The regions in the "Sales by region" chart, as a screen reader announces them. */
export const regionsIn = async (page: Page): Promise<string[]> => {
  const options = reportIn(page, 'Sales by region')
    .getByRole('listbox', { name: /^Revenue by region/ })
    .getByRole('option');
  await options.first().waitFor({ state: 'attached' });
  return (await options.allTextContents()).map((text) => /^\w+/.exec(text)?.[0] ?? text);
};
