import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Demo } from '../../examples/demo/backend/createDemo.ts';
import { createBuiltDemo } from '../support/createBuiltDemo.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { reportIn, signIn } from './demoPage.ts';

let browser: Browser;
let demo: Demo;
let contexts: BrowserContext[] = [];

beforeAll(async () => {
  [browser, demo] = await Promise.all([launchBrowser(), createBuiltDemo()]);
});
afterAll(() => Promise.all([browser?.close(), demo?.close()]));
beforeEach(() => {
  contexts = [];
});
afterEach(() => Promise.all(contexts.map((context) => context.close())));

/** A person at a computer of their own. */
const arrive = async (person: string): Promise<Page> => {
  const context = await browser.newContext();
  contexts.push(context);
  const page = await context.newPage();
  const streaming = page.waitForResponse((response) => response.url().endsWith('/api/embed/actions'));
  await signIn(page, demo.demoUrl, person);
  expect((await streaming).status()).toBe(200);
  return page;
};

/** Picks the bar of a region by keyboard, as the report offers it to everyone. */
const pick = async (page: Page, region: string): Promise<void> => {
  const bars = reportIn(page, 'Sales by region').getByRole('listbox', { name: /^Revenue by region/ });
  await bars.getByRole('option').first().waitFor({ state: 'attached' });
  const texts = await bars.getByRole('option').allTextContents();
  const place = texts.findIndex((text) => text.startsWith(region));
  await bars.press('Home');
  for (let moved = 0; moved < place; moved += 1) await bars.press('ArrowDown');
  await bars.press('Enter');
};

const placeOfLeftmost = (bars: readonly Element[]): number => {
  const lefts = bars.map((bar) => bar.getBoundingClientRect().left);
  return lefts.indexOf(Math.min(...lefts));
};

/**
 * Clicks on the first bar with the pointer, once it has grown to its place and wherever the page has moved it by then.
 * Its place among the others changes: the one under the pointer is drawn last.
 */
const clickFirstBar = async (page: Page): Promise<void> => {
  const visual = reportIn(page, 'Sales by region').locator('[data-visual="revenue-by-region"]');
  const bars = visual.locator('svg path:not([fill="none"])');
  await bars.first().waitFor();
  await bars.nth(await bars.evaluateAll(placeOfLeftmost)).click();
};

const selection = (page: Page) => page.getByRole('complementary', { name: 'Selection' });

describe('a click on a bar of the embedded report', () => {
  it("shows the selection and the host's data for it on the host page, to that viewer only", async () => {
    const clicking = await arrive('Head of sales');
    const watching = await arrive('Regional manager, North');
    await pick(clicking, 'North');
    await selection(clicking).getByText('North', { exact: true }).waitFor();
    await selection(clicking).getByText('Key account desk, North').waitFor();
    // The other person only gets their own click, and nothing of the first person's.
    await pick(watching, 'North');
    await selection(watching).getByText('Key account desk, North').waitFor();
    await pick(clicking, 'South');
    await selection(clicking).getByText('Key account desk, South').waitFor();
    expect(await selection(watching).getByText('South').count()).toBe(0);
  });

  it('is cleared when the bar is clicked again', async () => {
    const page = await arrive('Head of sales');
    await clickFirstBar(page);
    await selection(page).getByText('Key account desk, East').waitFor();
    await clickFirstBar(page);
    await selection(page)
      .getByText(/Click in a chart or table/)
      .waitFor();
    expect(await selection(page).getByText('Key account desk').count()).toBe(0);
  });
});

describe('several tabs of one viewer', () => {
  it('each receive every click', async () => {
    const first = await arrive('Head of sales');
    const second = await first.context().newPage();
    const streaming = second.waitForResponse((response) => response.url().endsWith('/api/embed/actions'));
    await second.goto(demo.demoUrl);
    await streaming;
    await pick(first, 'West');
    const seen = [first, second].map((page) => selection(page).getByText('Key account desk, West'));
    await Promise.all(seen.map((text) => text.waitFor()));
    expect(seen).toHaveLength(2);
  });
});
