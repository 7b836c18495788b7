import type { Page } from 'playwright';
import { expect } from 'vitest';

/** What a page said, asked its backend for, and loaded into the frame of its report. */
export interface WatchedPage {
  readonly page: Page;
  readonly said: string[];
  /** Paths below `/api/embed`. */
  readonly asked: string[];
  /** Keys that its backend answered. */
  readonly keys: string[];
  /** Waits for the report and filters it as a reader would. */
  readonly filter: () => Promise<void>;
  /** Fails unless the frame and the filter of the report stay as they are, and nothing was asked of the backend. */
  readonly expectFiltered: () => Promise<void>;
}

/** Records what a page does from now on. */
export const watchReport = (page: Page): WatchedPage => {
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
    // The page may be gone by then.
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
    asked,
    keys,
    filter: async () => {
      await page.locator('[data-state="ready"]').waitFor();
      await report.locator('[data-slicer="Region:North"]').click();
      expect(await readFilters()).toContain('North');
      opened = 0;
    },
    expectFiltered: async () => {
      // Whoever comes back to a page makes it look for a better key.
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      // Nothing happens, which takes its time: a new key would have been hydrated and its frame requested by then.
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
