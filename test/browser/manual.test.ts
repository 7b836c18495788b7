import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildManual, type Manual } from '../support/buildManual.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import {
  codesOn,
  isAsExpected,
  isForUsers,
  states,
  storiesOn,
  violationsOn,
  widthComplaintsOn,
  wrongOn,
} from './manualChecks.ts';
import { docsPagesOf, phone, visitPages } from './visitPages.ts';

let browser: Browser;
let manual: Manual;
beforeAll(async () => {
  [browser, manual] = await Promise.all([launchBrowser(), buildManual()]);
}, 240_000);
afterAll(() => Promise.all([browser?.close(), manual?.close()]));

it('distinguishes user code from story code (control)', () => {
  const code = "import { EmbeddedReport } from '@vitrine/react';\n\n<EmbeddedReport itemId={1042} />";
  expect(isForUsers(code)).toBe(true);
  expect(isForUsers(code.replace('/>', 'onLoad={fn()} />'))).toBe(false);
  expect(isForUsers('<EmbeddedReport itemId={1042} />')).toBe(false);
  expect(isForUsers(code.replace('\n\n', '\n  \n'))).toBe(false);
});

it('detects a story in the wrong state (control)', () => {
  expect(isAsExpected({ story: `${states}ready`, seen: ['failed frame_slow'] })).toBe(false);
  expect(isAsExpected({ story: `${states}ready`, seen: [] })).toBe(false);
  expect(isAsExpected({ story: `${states}slow`, seen: ['failed frame_slow'] })).toBe(true);
});

/** Links of a page to missing pages of the manual, or to missing headings of the page itself. */
const deadLinksOn = async (page: Page): Promise<string[]> => {
  const hrefs = await page
    .locator('main a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const ids = new Set(
    await page.locator('main [id]').evaluateAll((elements) => elements.map(({ id }) => id)),
  );
  const pages = new Set(docsPagesOf(manual));
  return hrefs.filter((href) => {
    const [, target] = /^\.\/\?path=\/docs\/([\w-]+)/.exec(href) ?? [];
    if (target !== undefined) return !pages.has(target);
    return href.startsWith('#') && !ids.has(decodeURIComponent(href.slice(1)));
  });
};

/** One page of each kind, for axe. The long run takes all pages, in the dark and on a phone too. */
const kinds = [
  'vitrine--docs',
  'start-how-it-works--docs',
  'components-embeddedreport--docs',
  'guides-troubleshooting--docs',
  'reference-errors--docs',
  'reference-comparison--docs',
  'api-react-devtools--docs',
];

it('shows every story in its own state, with user code, valid links and a layout that fits a phone, and passes axe', {
  timeout: 900_000,
}, async () => {
  let count = 0;
  let codeCount = 0;
  const found = await visitPages({ browser, manual }, { viewport: phone }, async (page, id) => {
    await expect.poll(() => wrongOn(page), { timeout: 60_000 }).toEqual([]);
    const violations = kinds.includes(id) ? await violationsOn(page) : [];
    const stories = await storiesOn(page);
    // Added after the wait: several pages are looked at concurrently.
    count += stories.length;
    const codes = await codesOn(page);
    codeCount += codes.length;
    return [
      ...violations,
      ...codes.filter((code) => !isForUsers(code)),
      ...(await deadLinksOn(page)).map((href) => `${href} leads nowhere`),
      ...(await widthComplaintsOn(page)),
    ];
  });
  expect(found).toEqual([]);
  expect(docsPagesOf(manual)).toEqual(expect.arrayContaining(kinds));
  expect(count).toBeGreaterThanOrEqual(28);
  expect(codeCount).toBeGreaterThanOrEqual(count);
});

it('keeps the state of every story after all timeouts', { timeout: 120_000 }, async () => {
  const page = await browser.newPage();
  await page.clock.install();
  await page.goto(`${manual.url}iframe.html?viewMode=docs&id=${states.replace(/--$/, '')}--docs`);
  await page.locator('.sbdocs-content h1').first().waitFor();
  await expect.poll(() => wrongOn(page), { timeout: 60_000 }).toEqual([]);
  await page.clock.fastForward(15_000);
  expect(await wrongOn(page)).toEqual([]);
  expect((await storiesOn(page)).length).toBeGreaterThan(10);
  await page.close();
});

it('shows placeholders unchanged', { timeout: 120_000 }, async () => {
  const page = await browser.newPage();
  await page.goto(`${manual.url}iframe.html?viewMode=docs&id=reference-interface-of-the-portal--docs`);
  const placeholder = page.getByText('/report/<reportId>?ev=<ENCRYPTED_KEY>').first();
  await placeholder.waitFor();
  expect(await placeholder.isVisible()).toBe(true);
  await page.close();
});

it('opens on a front page with three ways in, and one search', { timeout: 120_000 }, async () => {
  const page = await browser.newPage();
  await page.goto(manual.url);
  await expect.poll(() => page.url(), { timeout: 30_000 }).toContain('/docs/vitrine--docs');
  const preview = page.frameLocator('#storybook-preview-iframe');
  await preview.getByRole('link', { name: /^Does it work with my portal/ }).click();
  await preview.getByRole('heading', { name: 'Which portal' }).waitFor();
  expect(await page.getByRole('search').filter({ visible: true }).count()).toBe(0);
  await page.close();
});

it('finds an error code with its search, opens it, and goes back in one step', {
  timeout: 120_000,
}, async () => {
  const page = await browser.newPage();
  await page.goto(manual.url);
  const preview = page.frameLocator('#storybook-preview-iframe');
  await preview.getByRole('searchbox').fill('frame_blocked');
  await preview.getByRole('link', { name: 'frame_blocked', exact: true }).click();
  await expect.poll(() => page.url()).toContain('reference-errors--docs#frame_blocked');
  await preview.getByRole('heading', { name: 'frame_blocked' }).waitFor();
  await page.evaluate(() => history.back());
  await preview.getByRole('searchbox').waitFor();
  await page.close();
});

it('has llms.txt, and a Markdown copy of every page listed in it', async () => {
  const list = await (await fetch(`${manual.url}llms.txt`)).text();
  expect(list).toMatch(/^# Vitrine\n\n> Vitrine shows the reports of a BI portal/);
  const files = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(30);
  const copies = await Promise.all(files.map(async (file) => (await fetch(manual.url + file)).status));
  expect(copies.filter((status) => status !== 200)).toEqual([]);
});
