import type { Page } from 'playwright';
import { expect } from 'vitest';

/** A page of a host, with its report. */
export type WatchedPage = ReturnType<typeof watchReport>;

/** Records a page from now on: its console messages, its requests to its backend, and what its report's frame loads. */
export const watchReport = (page: Page) => {
  const said: string[] = [];
  const asked: string[] = [];
  const keys: string[] = [];
  let opened = 0;
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/embed')) asked.push(pathname);
    if (/^\/report\/\d+$/.test(pathname)) opened += 1;
  });
  page.on('response', (response) => {
    if (!response.ok() || !response.url().endsWith('/keys')) return;
    // The page may be closed by then.
    response.json().then(
      ({ key }) => keys.push(key),
      () => undefined,
    );
  });
  const report = page.frameLocator('iframe');
  const readFilters = () => report.locator('[aria-pressed="true"]').allTextContents();
  return {
    page,
    said,
    /** Paths below `/api/embed`. */
    asked,
    /** Keys that its backend issued. */
    keys,
    /** Waits for the report and filters it, as a viewer would. */
    filter: async () => {
      await page.locator('[data-state="ready"]').waitFor();
      await report.locator('[data-slicer="Region:North"]').click();
      expect(await readFilters()).toContain('North');
      opened = 0;
    },
    /** Fails unless the frame and the filter of the report stay unchanged, without a request to the backend. */
    expectFiltered: async () => {
      // Returning to a page makes it check for a better key.
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      // Nothing happens, which takes time: a new key would have been hydrated and its frame requested by then.
      await page.waitForTimeout(1_000);
      await page.locator('[data-state="ready"]').waitFor();
      expect({ opened, asked, filters: await readFilters() }).toEqual({
        opened: 0,
        asked: [],
        filters: expect.arrayContaining(['North']),
      });
    },
  };
};
