import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Demo } from '../../examples/demo/backend/createDemo.ts';
import { createBuiltDemo } from '../support/createBuiltDemo.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { regionsIn, reportIn, signIn } from './demoPage.ts';

const patience = { timeout: 20_000, interval: 100 };

let browser: Browser;
let demo: Demo;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [browser, demo] = await Promise.all([launchBrowser(), createBuiltDemo()]);
});
afterAll(() => Promise.all([browser?.close(), demo?.close()]));
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
});

describe('a signed-in user', () => {
  it('sees the rows of their own region', async () => {
    await signIn(page, demo.demoUrl, 'Regional manager, North');
    expect(await regionsIn(page)).toEqual(['North']);
  });

  it('sees different rows of the same report than another user', async () => {
    await signIn(page, demo.demoUrl, 'Head of sales');
    expect(await regionsIn(page)).toEqual(['East', 'North', 'South', 'West']);
    await page.getByLabel('Signed in as').selectOption('Regional manager, South');
    await vi.waitFor(async () => expect(await regionsIn(page)).toEqual(['South']), patience);
  });

  it('sees the report beside that of another person, each with their own rows', async () => {
    await signIn(page, demo.demoUrl, 'Head of sales');
    await page.getByLabel('Compare with').selectOption('Regional manager, North');
    const other = page.frameLocator('iframe[title="Sales by region, as Regional manager, North"]');
    const options = other.getByRole('listbox', { name: /^Revenue by region/ }).getByRole('option');
    await options.first().waitFor({ state: 'attached' });
    expect(await options.allTextContents()).toEqual([expect.stringMatching(/^North/)]);
    expect(await regionsIn(page)).toEqual(['East', 'North', 'South', 'West']);
  });

  it('sees how the page is made: its code and the developer tools', async () => {
    await signIn(page, demo.demoUrl, 'Head of sales');
    await page.getByRole('button', { name: 'How is this made?' }).click();
    const made = page.getByRole('complementary', { name: 'How this is made' });
    expect(await made.locator('pre').allTextContents()).toEqual([
      expect.stringMatching(
        /^const embed = vitrine\(\{\n {2}portal: [^]*\napp\.use\('\/api\/embed', embed\);$/,
      ),
      expect.stringMatching(/^<EmbedProvider [^]*<EmbeddedReport[^]*<\/EmbedProvider>$/),
    ]);
    await made.getByText(/^Report 1042: /).waitFor();
  });

  it('sees a message for a report that is not shared with them, and opens another', async () => {
    await signIn(page, demo.demoUrl, 'External auditor');
    await page.locator('[data-state="failed"][data-code="report_unavailable"]').waitFor();
    await page.getByRole('link', { name: 'Order book' }).click();
    const filter = reportIn(page, 'Order book').getByRole('group', { name: 'Filter by Region' });
    await filter.waitFor();
    expect(await filter.getByRole('button').allTextContents()).toEqual(['All', 'East', 'West']);
  });

  it('goes back to the previous report in one step, even after a double click on a link', async () => {
    await signIn(page, demo.demoUrl, 'Head of sales');
    await page.getByRole('link', { name: 'Order book' }).dblclick();
    await page.waitForURL('**/reports/1044');
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('returns to the sign-in page after signing out in another tab or after the session expires', async () => {
    await signIn(page, demo.demoUrl, 'Head of sales');
    const other = await context.newPage();
    await other.goto(demo.demoUrl);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Head of sales' }).click();
    await page.getByRole('link', { name: 'Order book' }).waitFor();
    await context.clearCookies();
    await page.getByRole('link', { name: 'Order book' }).click();
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
  });
});

describe('switching users while the backend is down', () => {
  it('shows a message until the backend responds', async () => {
    await signIn(page, demo.demoUrl, 'Head of sales');
    await page.getByLabel('Signed in as').waitFor();
    await page.route('**/demo/session', (route) => route.abort());
    await page.getByLabel('Signed in as').selectOption('Regional manager, South');
    const notice = page.getByText('backend does not respond');
    await notice.waitFor();
    await page.unroute('**/demo/session');
    await notice.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Signed in as').locator('option:checked').textContent()).toBe(
      'Head of sales',
    );
  });
});

it('shows the explanatory page of the portal, without data, in place of a report with an invalid key', async () => {
  await signIn(page, demo.demoUrl, 'Head of sales');
  for (const [name, state] of [
    ['Expired key', 'expired'],
    ['Tampered key', 'tampered'],
    ['Another tenant’s key', 'foreign'],
  ] as const) {
    await page.getByRole('button', { name }).click();
    const shown = page.frameLocator(`iframe[title="${name}"]`);
    await shown.locator(`html[data-portal-state="${state}"]`).waitFor();
    expect(await shown.getByRole('cell').count()).toBe(0);
    await page.getByRole('button', { name: 'Back to the report' }).click();
  }
  expect(await regionsIn(page)).toEqual(['East', 'North', 'South', 'West']);
});
