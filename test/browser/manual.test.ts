import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildManual, type Manual } from '../support/buildManual.ts';
import { launchBrowser } from '../support/launchBrowser.ts';

let browser: Browser;
let manual: Manual;
beforeAll(async () => {
  [browser, manual] = await Promise.all([launchBrowser(), buildManual()]);
}, 240_000);
afterAll(() => Promise.all([browser?.close(), manual?.close()]));

const states = 'components-embeddedreport-states--';
const variants = 'components-embeddedreport--';
/** State and code of the reports of each story. All others are `ready`. */
const expected: Readonly<Record<string, string>> = {
  [`${states}loading`]: 'loading',
  [`${states}refreshing`]: 'refreshing',
  [`${states}degraded`]: 'degraded portal_unavailable',
  [`${states}expired`]: 'expired portal_unavailable',
  [`${states}signed-out`]: 'failed signed_out',
  [`${states}not-available`]: 'failed report_unavailable',
  [`${states}rate-limited`]: 'failed rate_limited',
  [`${states}offline`]: 'failed offline',
  [`${states}backend-down`]: 'failed backend_unreachable',
  [`${states}portal-down`]: 'failed portal_unreachable',
  [`${states}slow`]: 'failed frame_slow',
  [`${states}blocked-by-the-page`]: 'failed frame_blocked',
  [`${states}misconfigured`]: 'failed invalid_item_id',
  [`${variants}policy-off`]: 'expired key_expired',
  [`${variants}lazy`]: 'idle',
  [`${variants}custom-slots`]: 'failed portal_timeout',
  [`${variants}dark`]: 'failed portal_unreachable',
  [`${variants}right-to-left`]: 'failed signed_out',
  [`${variants}narrow`]: 'failed rate_limited',
  'hooks-useembeddedreport--own-error': 'failed',
};
/** Stories without a report: tabs before the first click, and the one that needs a backend. */
const withoutReport = new Set([
  'hooks-useprefetchreport--on-hover-or-focus',
  'components-embeddedreport-live--from-the-running-portal',
]);

const pagesOf = () => manual.entries.filter(({ type }) => type === 'docs');

interface Visit {
  readonly page: Page;
  readonly id: string;
}

/** Opens every page of documentation in turn, and gives what `look` finds, with the page's name before it. */
const onEveryPage = async (
  options: BrowserContextOptions & { readonly theme?: string },
  look: (visit: Visit) => Promise<readonly string[]>,
): Promise<string[]> => {
  const { theme = 'light', ...contextOptions } = options;
  const context = await browser.newContext(contextOptions);
  const found: string[] = [];
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => found.push(`${page.url()}: ${message}`));
  page.on('request', (request) => {
    const url = request.url();
    const isReport = request.isNavigationRequest() && request.frame() !== page.mainFrame();
    if (!isReport && !url.startsWith(manual.url) && !/^(data|blob):|favicon/.test(url))
      found.push(`${page.url()} requests ${url}`);
  });
  for (const { id } of pagesOf()) {
    // Frames of reports go to an address where nobody answers, which a resolver may take its time to say.
    await page.goto(`${manual.url}iframe.html?viewMode=docs&id=${id}&globals=theme:${theme}`, {
      waitUntil: 'domcontentloaded',
    });
    await page.locator('.sbdocs-content h1').first().waitFor();
    found.push(...(await look({ page, id })).map((line) => `${id}: ${line}`));
  }
  await context.close();
  return found;
};

/** Every story on a page, with the state and code of its reports. */
const storiesOn = (page: Page): Promise<{ story: string; seen: string[] }[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[id^="story--"][id$="-inner"]')].map((root) => ({
      story: root.id.slice('story--'.length, -'-inner'.length).replace(/--primary$/, ''),
      seen: [...root.querySelectorAll<HTMLElement>('[data-state]')].map((report) =>
        [report.dataset['state'], report.dataset['code']].filter(Boolean).join(' '),
      ),
    })),
  );

const isAsExpected = ({ story, seen }: { story: string; seen: readonly string[] }): boolean =>
  withoutReport.has(story)
    ? seen.length === 0
    : seen.length > 0 && seen.every((state) => state === (expected[story] ?? 'ready'));

const wrongOn = async (page: Page): Promise<string[]> =>
  (await storiesOn(page))
    .filter((story) => !isAsExpected(story))
    .map(({ story, seen }) => `${story} shows ${seen.join(', ') || 'nothing'}`);

it('tells a story in the wrong state from one in its own (control)', () => {
  expect(isAsExpected({ story: `${states}ready`, seen: ['failed frame_slow'] })).toBe(false);
  expect(isAsExpected({ story: `${states}ready`, seen: [] })).toBe(false);
  expect(isAsExpected({ story: `${states}slow`, seen: ['failed frame_slow'] })).toBe(true);
});

const badCodeOn = async (page: Page): Promise<string[]> => {
  for (const button of await page.getByRole('button', { name: 'Show code' }).all()) await button.click();
  const codes = await page.locator('.sbdocs-preview .docblock-source').allTextContents();
  return codes.filter((code) => /environment|stage|\bfn\b|function|No code available/.test(code));
};

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

const violationsOn = async (page: Page): Promise<string[]> => {
  // What Storybook draws around a story is not ours, and reports are pages of their own.
  const axe = new AxeBuilder({ page }).exclude('.docblock-argstable').exclude('iframe');
  const { violations } = await axe.options({ resultTypes: ['violations'] }).analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${id} at ${nodes
        .map(({ target }) => target.join(' > '))
        .slice(0, 3)
        .join(', ')}`,
  );
};

it('shows every story in its own state, code that a user would write and links that lead somewhere', {
  timeout: 900_000,
}, async () => {
  let count = 0;
  const found = await onEveryPage({}, async ({ page }) => {
    await expect.poll(() => wrongOn(page), { timeout: 60_000 }).toEqual([]);
    count += (await storiesOn(page)).length;
    return [
      ...(await badCodeOn(page)),
      ...(await deadLinksOn(page)).map((href) => `${href} leads nowhere`),
      ...(await violationsOn(page)),
    ];
  });
  expect(found).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(29);
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

it('fits a phone in the dark theme', { timeout: 900_000 }, async () => {
  const viewport = { width: 375, height: 800 };
  const found = await onEveryPage({ theme: 'dark', viewport }, async ({ page }) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    const hasStories = (await storiesOn(page)).length > 0;
    // Pages of text look the same.
    return [
      ...(width > viewport.width ? [`is ${width} pixels wide`] : []),
      ...(hasStories ? await violationsOn(page) : []),
    ];
  });
  expect(found).toEqual([]);
});

it('has llms.txt, and a Markdown copy of every page that it names', async () => {
  const list = await (await fetch(`${manual.url}llms.txt`)).text();
  const files = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(30);
  const copies = await Promise.all(files.map(async (file) => (await fetch(manual.url + file)).status));
  expect(copies.filter((status) => status !== 200)).toEqual([]);
});
