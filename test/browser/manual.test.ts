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
  'hooks-useembeddedreport-stories--own-error': 'failed',
};
/** Stories without a report: tabs before the first click, and the one that needs a backend. */
const withoutReport = new Set([
  'hooks-useprefetchreport-stories--on-hover-or-focus',
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
    await page.goto(`${manual.url}iframe.html?viewMode=docs&id=${id}&globals=theme:${theme}`);
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

/** Longer than a key request may take, so that what times out has timed out. */
const untilTimeoutsMs = 15_000;

it('shows every story in its own state on every page, and keeps it', { timeout: 300_000 }, async () => {
  let count = 0;
  const found = await onEveryPage({}, async ({ page }) => {
    await page.clock.install();
    await page.reload();
    await page.locator('.sbdocs-content h1').first().waitFor();
    await expect.poll(() => wrongOn(page), { timeout: 30_000 }).toEqual([]);
    await page.clock.runFor(untilTimeoutsMs);
    count += (await storiesOn(page)).length;
    return wrongOn(page);
  });
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(30);
});

it('tells a story in the wrong state from one in its own (control)', () => {
  expect(isAsExpected({ story: `${states}ready`, seen: ['failed frame_slow'] })).toBe(false);
  expect(isAsExpected({ story: `${states}ready`, seen: [] })).toBe(false);
  expect(isAsExpected({ story: `${states}slow`, seen: ['failed frame_slow'] })).toBe(true);
});

const badCodeOn = async (page: Page): Promise<string[]> => {
  for (const button of await page.getByRole('button', { name: 'Show code' }).all()) await button.click();
  const codes = await page.locator('.docblock-source').allTextContents();
  return codes.filter((code) => /environment|stage|\bfn\b|function|No code available/.test(code));
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

it('prints code that a user would write, without accessibility violations', {
  timeout: 600_000,
}, async () => {
  const found = await onEveryPage({}, async ({ page }) => [
    ...(await badCodeOn(page)),
    ...(await violationsOn(page)),
  ]);
  expect(found).toEqual([]);
});

it('fits a phone in the dark theme, without accessibility violations', { timeout: 600_000 }, async () => {
  const viewport = { width: 375, height: 800 };
  const found = await onEveryPage({ theme: 'dark', viewport }, async ({ page }) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    return [...(width > viewport.width ? [`is ${width} pixels wide`] : []), ...(await violationsOn(page))];
  });
  expect(found).toEqual([]);
});
