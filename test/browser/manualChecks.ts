import type { Page } from 'playwright';
import { expect } from 'vitest';
import { findViolations } from '../support/findViolations.ts';
import { phone } from './visitPages.ts';

/** Prefix of the IDs of state stories. */
export const states = 'components-embeddedreport-states--';
const variants = 'components-embeddedreport--';
/** State and code of the reports of each story. All others are `ready`. */
const expected: Readonly<Record<string, string>> = {
  [`${states}loading`]: 'loading',
  [`${states}refreshing`]: 'refreshing',
  [`${states}degraded`]: 'degraded portal_unavailable',
  [`${states}expired`]: 'expired portal_unavailable',
  [`${states}signed-out`]: 'failed signed_out',
  [`${states}signed-out-without-sign-in`]: 'failed signed_out',
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
/** Stories without a report: tabs before the first click, and lists of reports. */
const withoutReport = new Set([
  'hooks-useprefetchreport--on-hover-or-focus',
  'components-reportpicker--default',
  'components-reportpicker--rows',
  'components-reportpicker--empty',
  'components-reportpicker--failed',
]);

/**
 * Every story on a page, with the state and code of its reports; '' until it exists. A story of a state may be in a frame;
 * others in frames are excluded.
 */
export const storiesOn = (page: Page): Promise<{ story: string; seen: string[] }[]> =>
  page.evaluate((states) => {
    const statesIn = (root: Element | null | undefined) =>
      [...(root?.querySelectorAll<HTMLElement>('[data-state]') ?? [])].map((report) =>
        [report.dataset['state'], report.dataset['code']].filter(Boolean).join(' '),
      );
    return [...document.querySelectorAll('.sbdocs-preview')].flatMap((preview) => {
      const frame = preview.querySelector<HTMLIFrameElement>('iframe[id^="iframe--"]');
      const framed = frame?.id.slice('iframe--'.length) ?? '';
      // It would wait until it is scrolled into view.
      if (frame) frame.loading = 'eager';
      if (framed.startsWith(states)) return [{ story: framed, seen: statesIn(frame?.contentDocument?.body) }];
      if (frame) return [];
      const root = preview.querySelector('[id^="story--"][id$="-inner"]');
      const story = root?.id.slice('story--'.length, -'-inner'.length).replace(/--primary$/, '') ?? '';
      return [{ story, seen: statesIn(root) }];
    });
  }, states);

/** Whether the reports of a story are in the state that it shows. */
export const isAsExpected = ({ story, seen }: { story: string; seen: readonly string[] }): boolean =>
  withoutReport.has(story)
    ? seen.length === 0
    : seen.length > 0 && seen.every((state) => state === (expected[story] ?? 'ready'));

/** The stories of a page whose reports are in another state. */
export const wrongOn = async (page: Page): Promise<string[]> =>
  (await storiesOn(page))
    .filter((story) => !isAsExpected(story))
    .map(({ story, seen }) => `${story} shows ${seen.join(', ') || 'nothing'}`);

/** The code of every story of a page after "Show code". */
export const codesOn = async (page: Page): Promise<string[]> => {
  const count = await page
    .locator('.docblock-code-toggle')
    .evaluateAll((switches: HTMLElement[]) => switches.map((one) => one.click()).length);
  const codes = page.locator('.sbdocs-preview pre');
  await expect
    .poll(async () => (await codes.allTextContents()).filter((code) => code.trim() !== '').length, {
      timeout: 30_000,
    })
    .toBe(count);
  return codes.allTextContents();
};

/** Whether code is user code, without the setup of the stories. */
export const isForUsers = (code: string): boolean =>
  code.includes("from '@vitrine/react") &&
  !/environment|stage|\bfn\b|function|host-|No code available|^[ ]+$/m.test(code);

/** The axe violations of a page, without Storybook's own interface. Reports are pages of their own. */
export const violationsOn = (page: Page): Promise<string[]> =>
  findViolations(page, { exclude: ['.docblock-argstable', '.docblock-code-toggle'] });

/** A phone scrolls a page only vertically. */
export const widthComplaintsOn = async (page: Page): Promise<string[]> => {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  return width > phone.width ? [`is ${width} pixels wide on a phone`] : [];
};

/** Visual errors of a page, once its stories are in their own states. */
export const complaintsOf = async (page: Page): Promise<string[]> => {
  await expect.poll(() => wrongOn(page), { timeout: 60_000 }).toEqual([]);
  const isPhone = page.viewportSize()?.width === phone.width;
  return [...(isPhone ? await widthComplaintsOn(page) : []), ...(await violationsOn(page))];
};
