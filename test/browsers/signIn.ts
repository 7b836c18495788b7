import type { Page } from 'playwright';

/** Opens the demo and signs in as a user does. */
export const signIn = async (page: Page, demoUrl: string, person: string): Promise<void> => {
  await page.goto(demoUrl);
  await page.getByRole('button', { name: person }).click();
};

/** The content of the visible report. */
export const reportIn = (page: Page, title: string) =>
  page.frameLocator(`iframe[title="${title}"] >> visible=true`);
