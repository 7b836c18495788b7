import type { Browser, Page, Request } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guidePages } from '../../stories/.storybook/guidePages.ts';
import { buildManual, type Manual } from '../support/buildManual.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { codesOn, isAsExpected, isForUsers, states, storiesOn, violationsOn } from './manualChecks.ts';

let browser: Browser;
let manual: Manual;
beforeAll(async () => {
  [browser, manual] = await Promise.all([launchBrowser(), buildManual()]);
}, 240_000);
afterAll(() => Promise.all([browser?.close(), manual?.close()]));

const pagesOf = () => manual.entries.filter(({ type }) => type === 'docs');

/** Whether a page is about stories, which may appear after its heading. */
const hasStories = (pageId: string): boolean => {
  const title = manual.entries.find(({ id }) => id === pageId)?.title;
  return manual.entries.some((entry) => entry.type === 'story' && entry.title === title);
};

const screen = { width: 1280, height: 720 };
const phone = { width: 375, height: 800 };

interface Visits {
  readonly ids: readonly string[];
  readonly theme: 'light' | 'dark';
  readonly viewport: typeof screen;
}

/** Pages that are open at a time: while one waits, another draws. */
const tabCount = 3;

/** Whether a request goes elsewhere. Frames of reports do: to an address where nobody answers. */
const leavesManual = (page: Page, request: Request): boolean => {
  const isReport = request.isNavigationRequest() && request.frame() !== page.mainFrame();
  return !isReport && !request.url().startsWith(manual.url) && !/^(data|blob):|favicon/.test(request.url());
};

/** Opens pages of documentation, a few at a time, and gives what `look` finds, with the page's name before it. */
const onPages = async (
  { ids, theme, viewport }: Visits,
  look: (page: Page) => Promise<readonly string[]>,
): Promise<string[]> => {
  const context = await browser.newContext();
  const found: string[] = [];
  const rest = ids.values();
  const visitRest = async (): Promise<void> => {
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => found.push(`${page.url()}: ${message}`));
    page.on('request', (request) => {
      if (leavesManual(page, request)) found.push(`${page.url()} requests ${request.url()}`);
    });
    for (const id of rest) {
      await page.setViewportSize(viewport);
      // Frames of reports go to an address where nobody answers, which a resolver may take its time to say.
      await page.goto(`${manual.url}iframe.html?viewMode=docs&id=${id}&globals=theme:${theme}`, {
        waitUntil: 'domcontentloaded',
      });
      await page.locator('.sbdocs-content h1').first().waitFor();
      if (hasStories(id)) await page.locator('.sbdocs-preview').first().waitFor();
      found.push(...(await look(page)).map((line) => `${id}: ${line}`));
    }
  };
  await Promise.all(Array.from({ length: tabCount }, visitRest));
  await context.close();
  return found;
};

const wrongOn = async (page: Page): Promise<string[]> =>
  (await storiesOn(page))
    .filter((story) => !isAsExpected(story))
    .map(({ story, seen }) => `${story} shows ${seen.join(', ') || 'nothing'}`);

it('tells code that a user would write from the rig of the stories (control)', () => {
  const code = "import { EmbeddedReport } from '@vitrine/react';\n\n<EmbeddedReport itemId={1042} />";
  expect(isForUsers(code)).toBe(true);
  expect(isForUsers(code.replace('/>', 'onLoad={fn()} />'))).toBe(false);
  expect(isForUsers('<EmbeddedReport itemId={1042} />')).toBe(false);
});

it('tells a story in the wrong state from one in its own (control)', () => {
  expect(isAsExpected({ story: `${states}ready`, seen: ['failed frame_slow'] })).toBe(false);
  expect(isAsExpected({ story: `${states}ready`, seen: [] })).toBe(false);
  expect(isAsExpected({ story: `${states}slow`, seen: ['failed frame_slow'] })).toBe(true);
});

/** Links of a page to pages that the manual does not have, or to headings that the page itself does not have. */
const deadLinksOn = async (page: Page): Promise<string[]> => {
  const hrefs = await page
    .locator('main a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const ids = new Set(
    await page.locator('main [id]').evaluateAll((elements) => elements.map(({ id }) => id)),
  );
  const pages = new Set(pagesOf().map(({ id }) => id));
  return hrefs.filter((href) => {
    const [, target] = /^\.\/\?path=\/docs\/([\w-]+)/.exec(href) ?? [];
    if (target !== undefined) return !pages.has(target);
    return href.startsWith('#') && !ids.has(decodeURIComponent(href.slice(1)));
  });
};

/** A phone shows nothing beside the page. */
const widthComplaintsOn = async (page: Page): Promise<string[]> => {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  return width > phone.width ? [`is ${width} pixels wide on a phone`] : [];
};

it('shows every story in its own state, code that a user would write and links that lead somewhere, and fits a phone', {
  timeout: 900_000,
}, async () => {
  let count = 0;
  let codeCount = 0;
  const ids = pagesOf().map(({ id }) => id);
  const found = await onPages({ ids, theme: 'light', viewport: screen }, async (page) => {
    await expect.poll(() => wrongOn(page), { timeout: 60_000 }).toEqual([]);
    count += (await storiesOn(page)).length;
    const codes = await codesOn(page);
    codeCount += codes.length;
    const lines = [
      ...codes.filter((code) => !isForUsers(code)),
      ...(await deadLinksOn(page)).map((href) => `${href} leads nowhere`),
      ...(await violationsOn(page)),
    ];
    await page.setViewportSize(phone);
    return [...lines, ...(await widthComplaintsOn(page)), ...(await violationsOn(page))];
  });
  expect(found).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(29);
  expect(codeCount).toBeGreaterThanOrEqual(count);
});

it('keeps every state after what times out has timed out', { timeout: 120_000 }, async () => {
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

it('shows pages on a phone in the dark theme', { timeout: 900_000 }, async () => {
  // Pages of the API reference look like each other.
  const ids = pagesOf()
    .filter(({ title }) => !title.startsWith('API/') || title === 'API/react')
    .map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(guidePages.length);
  const found = await onPages({ ids, theme: 'dark', viewport: phone }, async (page) => {
    await expect.poll(() => wrongOn(page), { timeout: 60_000 }).toEqual([]);
    return [...(await widthComplaintsOn(page)), ...(await violationsOn(page))];
  });
  expect(found).toEqual([]);
});

it('draws sequence diagrams, and shows placeholders as they are', { timeout: 120_000 }, async () => {
  const page = await browser.newPage();
  await page.goto(`${manual.url}iframe.html?viewMode=docs&id=start-how-it-works--docs`);
  const diagram = page.getByRole('figure', { name: 'Sequence diagram' }).first();
  await diagram.getByText('viewer(req): who is this?').waitFor();
  expect(await diagram.getByRole('listitem').first().textContent()).toBe(
    'Browser: EmbeddedReport to Your backend: vitrine(): POST /api/embed/keys {"itemId":1042}',
  );
  // Its arrow leads from the lifeline of the browser to that of the backend.
  const middleOf = async (name: string) => {
    const box = await diagram.getByText(name, { exact: true }).boundingBox();
    return box && Math.round(box.x + box.width / 2);
  };
  const arrow = await diagram.locator('li > div').first().boundingBox();
  expect(arrow && [Math.round(arrow.x), Math.round(arrow.x + arrow.width)]).toEqual([
    await middleOf('Browser: EmbeddedReport'),
    await middleOf('Your backend: vitrine()'),
  ]);
  await page.goto(`${manual.url}iframe.html?viewMode=docs&id=reference-interface-of-the-portal--docs`);
  await page.getByText('/report/<reportId>?ev=<ENCRYPTED_KEY>').first().waitFor();
  await page.close();
});

it('opens with the five minutes', { timeout: 120_000 }, async () => {
  const page = await browser.newPage();
  await page.goto(manual.url);
  await expect.poll(() => page.url(), { timeout: 30_000 }).toContain('/docs/start-five-minutes--docs');
  await page.close();
});

it('finds an error code by its own search, and opens it', { timeout: 120_000 }, async () => {
  const page = await browser.newPage();
  await page.goto(`${manual.url}?path=/docs/search--docs`);
  const preview = page.frameLocator('#storybook-preview-iframe');
  await preview.getByRole('searchbox').fill('frame_blocked');
  await preview.getByRole('link', { name: 'frame_blocked', exact: true }).click();
  await expect.poll(() => page.url()).toContain('reference-errors--docs#frame_blocked');
  await preview.getByRole('heading', { name: 'frame_blocked' }).waitFor();
  expect(await page.title()).toBe('Reference / Errors · Vitrine');
  await page.close();
});

it('shows a recorded report that filters without a portal, and says that it is recorded', {
  timeout: 120_000,
}, async () => {
  const page = await browser.newPage();
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (leavesManual(page, request)) elsewhere.push(request.url());
  });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(
    `${manual.url}iframe.html?viewMode=docs&id=components-embeddedreport-live--docs&globals=theme:dark`,
  );
  await page.getByText('A recording:').waitFor();
  const report = page.frameLocator('iframe[title="Sales by region"]');
  await report.locator('html[data-painted]').waitFor();
  expect(await report.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)).toBe(
    'rgb(18, 22, 29)', // the portal's dark ground, as the manual's theme is dark
  );
  const revenue = report.locator('.kpi-value').first();
  const before = await revenue.textContent();
  await report
    .getByRole('group', { name: 'Filter by Region' })
    .getByRole('button', { name: 'North' })
    .click();
  await expect.poll(() => revenue.textContent()).not.toBe(before);
  expect(elsewhere).toEqual([]);
  await page.close();
});

it('has llms.txt, and a Markdown copy of every page that it names', async () => {
  const list = await (await fetch(`${manual.url}llms.txt`)).text();
  const files = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(30);
  const copies = await Promise.all(files.map(async (file) => (await fetch(manual.url + file)).status));
  expect(copies.filter((status) => status !== 200)).toEqual([]);
});
