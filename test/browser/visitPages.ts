import { readFileSync } from 'node:fs';
import type { Browser, Page, Request } from 'playwright';
import { expect } from 'vitest';
import { guidePages } from '../../stories/.storybook/guidePages.ts';
import type { Manual } from '../support/buildManual.ts';

export const screen = { width: 1280, height: 720 } as const;
export const phone = { width: 375, height: 800 } as const;

export interface Visits {
  readonly viewport: typeof screen | typeof phone;
  /** Default light. */
  readonly theme?: 'light' | 'dark';
}

/** The base URL of the pages. */
export interface VisitedManual {
  readonly browser: Browser;
  readonly manual: Manual;
}

/** Number of pages open at once: while one waits, another renders. */
const tabCount = 3;

/** IDs of all documentation pages. */
export const docsPagesOf = ({ entries }: Manual): string[] =>
  entries.filter(({ type }) => type === 'docs').map(({ id }) => id);

/** Whether a page contains stories, which may appear after its heading. */
const hasStories = ({ entries }: Manual, pageId: string): boolean => {
  const title = entries.find(({ id }) => id === pageId)?.title;
  return (
    entries.some((entry) => entry.type === 'story' && entry.title === title) ||
    guidePages.some((page) => page.title === title && /^<!-- story: /m.test(readFileSync(page.file, 'utf8')))
  );
};

/** Whether a request goes to another origin. Frames of reports do: their host does not exist. */
const leavesManual = (
  manual: Manual,
  { page, request }: { readonly page: Page; readonly request: Request },
): boolean => {
  const isReport = request.isNavigationRequest() && request.frame() !== page.mainFrame();
  return !isReport && !request.url().startsWith(manual.url) && !/^(data|blob):|favicon/.test(request.url());
};

/** Goes from one page to another as a click in the sidebar does, which loads Storybook only once. */
const switchTo = (page: Page, id: string): Promise<void> =>
  page.evaluate(
    (id) =>
      new Promise<void>((resolve) => {
        // Storybook sets it for the manager's messages.
        const channel = Reflect.get(window, '__STORYBOOK_ADDONS_CHANNEL__') as {
          once: (event: string, listener: () => void) => void;
          emit: (event: string, selection: object) => void;
        };
        channel.once('docsRendered', resolve);
        channel.emit('setCurrentStory', { storyId: id, viewMode: 'docs' });
      }),
    id,
  );

/** Waits for the previews of stories, which appear one after the other. */
const allPreviewsOn = async (page: Page): Promise<void> => {
  const previews = page.locator('.sbdocs-preview');
  await previews.first().waitFor();
  let seen = 0;
  const isSettled = async () => {
    const before = seen;
    seen = await previews.count();
    return seen === before;
  };
  await expect.poll(isSettled, { interval: 500, timeout: 30_000 }).toBe(true);
};

/** Opens every page of documentation, a few at a time, and gives what `look` finds, with the page's ID before it. */
export const visitPages = async (
  { browser, manual }: VisitedManual,
  { viewport, theme = 'light' }: Visits,
  look: (page: Page, id: string) => Promise<readonly string[]>,
): Promise<string[]> => {
  // Skeletons would be drawn again and again.
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' });
  const found: string[] = [];
  const rest = docsPagesOf(manual).values();
  const visitRest = async (): Promise<void> => {
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => found.push(`${page.url()}: ${message}`));
    page.on('request', (request) => {
      if (leavesManual(manual, { page, request })) found.push(`${page.url()} requests ${request.url()}`);
    });
    let showsText = false;
    for (const id of rest) {
      const isText = !hasStories(manual, id);
      // Storybook may reload itself when it leaves a page of stories.
      if (showsText && isText) await switchTo(page, id);
      // Frames of reports request a host that does not exist, which a resolver may report slowly.
      else
        await page.goto(`${manual.url}iframe.html?viewMode=docs&id=${id}`, {
          waitUntil: 'domcontentloaded',
        });
      showsText = isText;
      await page.locator('.sbdocs-content h1').first().waitFor();
      if (!isText) await allPreviewsOn(page);
      found.push(...(await look(page, id)).map((line) => `${id}: ${line}`));
    }
  };
  await Promise.all(Array.from({ length: tabCount }, visitRest));
  await context.close();
  return found;
};
