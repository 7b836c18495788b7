import type { Page } from 'playwright';

/** Opens the demo and signs in as a person would. */
export const signIn = async (page: Page, demoUrl: string, person: string): Promise<void> => {
  await page.goto(demoUrl);
  await page.getByRole('button', { name: person }).click();
};

/** The report that is shown, as one would look into it. */
export const reportIn = (page: Page, title: string) =>
  page.frameLocator(`iframe[title="${title}"] >> visible=true`);
