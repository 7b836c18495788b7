import { createServer, type Server } from 'node:http';
import express from 'express';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../support/buildPage.ts';
import { findViolations, rulesOfColors } from '../support/findViolations.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { closeServer, listen } from '../support/standInPortal.ts';

let browser: Browser;
let server: Server;
let url = '';
beforeAll(async () => {
  const root = `${import.meta.dirname}/devtoolsHost`;
  const [launched, page] = await Promise.all([launchBrowser(), buildPage({ root, mode: 'development' })]);
  browser = launched;
  server = createServer(express().use(page.handler));
  url = await listen(server);
});
afterAll(() => Promise.all([browser?.close(), server && closeServer(server)]));

const patience = { timeout: 15_000 };

/** Opens the page and the panel of the developer tools. */
const openPanel = async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.locator('[data-state=ready]').waitFor();
  await page.getByRole('button', { name: 'Vitrine devtools' }).click();
  const panel = page.getByRole('region', { name: 'Vitrine devtools' });
  await panel.getByText('Report 1042: ready', { exact: true }).waitFor();
  return {
    page,
    panel,
    press: pressIn(page),
    frameName: () => page.locator('iframe').first().getAttribute('name'),
  };
};

/** Presses a button ten seconds later: a report asks for a key at most that often. */
const pressIn = (page: Page) => async (name: string) => {
  await page.evaluate(() => globalThis.fake.advance(11_000));
  await page.getByRole('button', { name }).click();
};

describe('the developer tools panel', () => {
  it('has no accessibility violations in light and dark colors', async () => {
    const { page, press, panel } = await openPanel();
    const violations = async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      const inLight = await findViolations(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      // The other rules look at what is the same in the dark.
      return [...inLight, ...(await findViolations(page, { rules: rulesOfColors }))];
    };
    expect(await violations()).toEqual([]);
    await page.evaluate(() => globalThis.fake.answer('report_unavailable'));
    await press('Renew now: report 1042');
    await panel.getByText('report 1042: report_unavailable').waitFor();
    expect(await violations()).toEqual([]);
    await page.context().close();
  });

  it('turns dark with the app, whatever the system says', async () => {
    const { page, panel } = await openPanel();
    await page.emulateMedia({ colorScheme: 'light' });
    const background = () => panel.evaluate((section) => getComputedStyle(section).backgroundColor);
    expect(await background()).toBe('rgb(255, 255, 255)');
    await page.evaluate(() => void (document.documentElement.style.colorScheme = 'dark'));
    expect(await background()).toBe('rgb(24, 28, 35)');
    await page.context().close();
  });

  it('shows the key and the frames of each report', async () => {
    const { page, panel } = await openPanel();
    await expect
      .poll(() => panel.innerText(), patience)
      .toMatch(/Key: \d+:\d\d old, renewal in \d+:\d\d, expires in \d+:\d\d/);
    expect(await panel.innerText()).toContain('Frames: loaded');
    expect(await page.content()).not.toMatch(/Key: .*fake-key/);
    await page.context().close();
  });

  it('renews the report now', async () => {
    const { page, press, frameName } = await openPanel();
    const before = await frameName();
    await press('Renew now: report 1042');
    await expect.poll(frameName, patience).not.toBe(before);
    await page.locator('[data-state=ready]').waitFor();
    expect(await page.evaluate(() => globalThis.fake.requests.length)).toBe(2);
    await page.context().close();
  });

  it('covers no report on a phone', async () => {
    const { page, panel } = await openPanel();
    await page.setViewportSize({ width: 375, height: 700 });
    const frame = page.locator('iframe');
    const isApart = async () => {
      const [tools, report] = await Promise.all([panel.boundingBox(), frame.boundingBox()]);
      return tools !== null && report !== null && tools.y >= report.y + report.height;
    };
    await expect.poll(isApart, patience).toBe(true);
    await page.setViewportSize({ width: 800, height: 500 }); // control: beside it when there is room
    await expect.poll(isApart, patience).toBe(false);
    await page.context().close();
  });
});
