import type { Browser, ElementHandle, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import type { HostPage } from './host/main.tsx';
import { type Host, keyLifetimeMs, renewalDueMs, serveHost } from './host/serveHost.ts';

let host: Host;
let browser: Browser;
beforeAll(async () => {
  [host, browser] = await Promise.all([serveHost(), launchBrowser()]);
});
afterAll(() => Promise.all([host?.close(), browser?.close()]));

/** The page sets it. */
type HostWindow = { readonly host?: HostPage };

/** Waits for an element of the page, which may be in a closed shadow root. */
const find = async (page: Page, selector: string): Promise<ElementHandle<Element>> => {
  const handle = await page.waitForFunction(
    (selector) => (globalThis as HostWindow).host?.root.querySelector(selector),
    selector,
  );
  return handle as ElementHandle<Element>; // it has waited for one
};

/** Opens a page with a text field at the top and a report far below. The report's page runs a script while it loads. */
const open = async (reportScript = '', wishes = ''): Promise<Page> => {
  host.served.reportScript = reportScript;
  const context = await browser.newContext();
  onTestFinished(async () => {
    host.served.reportScript = undefined;
    await context.close();
  });
  const page = await context.newPage();
  await page.goto(`${host.url}/?view=field${wishes}`);
  return page;
};

const waitForReport = (page: Page) => find(page, '[data-state="ready"]');

/** Soon after the renewal is due, when the successor still waits for a viewer who works in the report. */
const earlyMs = keyLifetimeMs * 0.77;

const renew = (page: Page, ms = renewalDueMs) =>
  page.evaluate((ms) => (globalThis as HostWindow).host?.advanceClock(ms), ms);

const readCalls = (page: Page) => page.evaluate(() => (globalThis as HostWindow).host?.record.calls);

const readField = async (page: Page) =>
  (await find(page, '#field')).evaluate((field) => (field as HTMLInputElement).value);

const shownReport = (page: Page) => page.frameLocator('iframe:not([style*="hidden"])').locator('#search');

const text = '012345678901234567890123456789';
/** Keys that the viewer may press before the focus is back. */
const inFlight = 2;
const type = (page: Page) => page.keyboard.type(text, { delay: 40 });

describe('a viewer who types in a field of the host app', () => {
  it.each([
    ['that takes the focus', "search.focus(); document.title = 'Focused';", ''],
    ['that takes the focus of the window', "focus(); document.title = 'Focused';", ''],
    [
      'that takes the focus after it has loaded',
      "setTimeout(() => { search.focus(); document.title = 'Focused'; }, 500);",
      '',
    ],
    [
      'in a closed shadow root, that takes the focus',
      "search.focus(); document.title = 'Focused';",
      '&shadow',
    ],
  ])('types on during the renewal of a report %s', async (_, script, wishes) => {
    const page = await open(script, wishes);
    await waitForReport(page);
    // Only the successor takes the focus from the field.
    await expect.poll(() => page.frames().at(-1)?.title(), { timeout: 5_000 }).toBe('Focused');
    await (await find(page, '#field')).click();
    await renew(page);
    await type(page);
    await expect
      .poll(async () => (await readCalls(page))?.filter((call) => call === 'onLoad'))
      .toHaveLength(2);
    expect((await readField(page)).length).toBeGreaterThanOrEqual(text.length - inFlight);
  });

  it('types on while a report that takes the focus loads for the first time', async () => {
    const page = await open('search.focus();');
    const { promise: typing, resolve: startTyping } = Promise.withResolvers<void>();
    await page.route('**/report/*', (route) => typing.then(() => route.continue()));
    await page.reload();
    await find(page, 'iframe');
    await (await find(page, '#field')).click();
    // Before the report loads, or it takes the focus from a viewer who does not type.
    await page.keyboard.press('0');
    startTyping();
    await Promise.all([type(page), waitForReport(page)]);
    expect((await readField(page)).length).toBeGreaterThanOrEqual(text.length - inFlight);
  });

  it('types on while the report takes the focus between a key and its text', async () => {
    const page = await open(
      "search.onfocus = () => { document.title = 'Focused'; }; setTimeout(() => search.focus(), 1_500);",
    );
    await waitForReport(page);
    const field = await find(page, '#field');
    await field.click();
    await page.keyboard.press('0');
    await field.evaluate((input) => {
      input.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true, composed: true }));
    });
    await expect.poll(() => page.frames().at(-1)?.title(), { timeout: 5_000 }).toBe('Focused');
    await page.keyboard.press('1');
    expect(await readField(page)).toBe('01');
  });

  it('types on after a space while a visible report takes the focus', async () => {
    const page = await open(
      "search.onfocus = () => { document.title = 'Focused'; }; setTimeout(() => search.focus(), 1_500);",
    );
    await waitForReport(page);
    await (await find(page, '#field')).click();
    await page.keyboard.type('North ');
    await expect.poll(() => page.frames().at(-1)?.title(), { timeout: 5_000 }).toBe('Focused');
    await type(page);
    expect((await readField(page)).length).toBeGreaterThanOrEqual('North '.length + text.length - inFlight);
  });

  it('control: types into a hidden frame that the component does not guard', async () => {
    const page = await open('search.focus();');
    await waitForReport(page);
    await (await find(page, '#field')).click();
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.src = document.querySelector('iframe')?.src ?? '';
      frame.style.visibility = 'hidden';
      document.body.append(frame);
    });
    await type(page);
    expect((await readField(page)).length).toBeLessThan(text.length - inFlight);
  });

  it.each([
    ['clicks into', (page: Page) => shownReport(page).click()],
    ['tabs into', (page: Page) => page.keyboard.press('Tab')],
  ])('and then %s the report types there', async (_, go) => {
    const page = await open();
    await waitForReport(page);
    await (await find(page, '#field')).click();
    await page.keyboard.type('North');
    await go(page);
    await type(page);
    expect(await shownReport(page).inputValue()).toBe(text);
  });

  it('is moved into the report by a script of the host', async () => {
    const page = await open();
    await waitForReport(page);
    await (await find(page, '#field')).click();
    await page.keyboard.type('North');
    const [frame] = await page.$$('iframe');
    // Without scrolling: the pointer would be over the frame afterward.
    await frame?.evaluate((element) => (element as HTMLElement).focus({ preventScroll: true }));
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(await frame?.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

/** A report that takes the focus at once, and takes two seconds to load. */
const openSlowReport = async (): Promise<Page> => {
  const script = "search.focus(); document.body.append(Object.assign(new Image(), { src: '/slow.png' }));";
  const page = await open(script);
  await page.route('**/slow.png', (route) => setTimeout(() => route.abort(), 2_000));
  await waitForReport(page);
  return page;
};

/** Keys that a viewer may lose before the next look at a frame that takes the focus from another one. */
const lostAtMost = 10;

it('a viewer who types in a frame of the host app types on while a hidden report takes the focus', async () => {
  const page = await openSlowReport();
  await page.evaluate(() => {
    const editor = document.createElement('iframe');
    editor.srcdoc = '<input id="editor">';
    document.body.prepend(editor);
  });
  const editor = page.frameLocator('iframe[srcdoc]').locator('#editor');
  await editor.click();
  await renew(page);
  await type(page);
  expect((await editor.inputValue()).length).toBeGreaterThanOrEqual(text.length - lostAtMost);
});

describe('a viewer who works in the report', () => {
  it('types nothing into a hidden successor that takes the focus and loads slowly', async () => {
    const page = await openSlowReport();
    await shownReport(page).click();
    await renew(page, earlyMs);
    await type(page);
    const successor = page.frameLocator('iframe[style*="hidden"]').locator('#search');
    expect((await successor.inputValue()).length).toBeLessThanOrEqual(lostAtMost);
  });

  it('keeps it when its successor takes the focus while it loads', async () => {
    const page = await open("search.onfocus = () => { document.title = 'Focused'; }; search.focus();");
    await waitForReport(page);
    await shownReport(page).click();
    const [shown] = await page.$$('iframe');
    await renew(page, earlyMs);
    const successor = page.frameLocator('iframe[style*="hidden"]').locator('title');
    await expect.poll(() => successor.textContent()).toBe('Focused');
    await expect.poll(() => shown?.evaluate((frame) => frame === document.activeElement)).toBe(true);
    expect(await readCalls(page)).not.toContain('swapped');
  });
});
