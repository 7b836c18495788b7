import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page, Request } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guidePages } from '../../stories/.storybook/guidePages.ts';
import { findViolations } from '../support/findViolations.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { listenOn } from '../support/listenOn.ts';
import { isLong } from '../support/size.ts';

/** A page or story of the manual. */
interface ManualEntry {
  readonly id: string;
  readonly type: 'docs' | 'story';
  readonly title: string;
  readonly tags: readonly string[];
}

/** The built manual, served under a path. */
interface Manual {
  readonly folder: string;
  /** Ends with a slash. */
  readonly url: string;
  readonly entries: readonly ManualEntry[];
  readonly close: () => Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.md': 'text/markdown',
  '.txt': 'text/plain',
};

/** Builds Storybook into a temporary folder and serves it under `/vitrine/`, as a Git host does for project pages. */
const buildManual = async (): Promise<Manual> => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-manual-'));
  const { NODE_ENV: _test, VITEST: _vitest, ...env } = process.env;
  const args = ['run', '--silent', 'build:storybook', '--', '--output-dir', folder];
  await promisify(execFile)('npm', args, { env, maxBuffer: 16 * 1024 * 1024 });
  const { entries } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as {
    entries: Readonly<Record<string, ManualEntry>>;
  };
  const server = createServer(async ({ url = '' }, res) => {
    const [, path] = /^\/vitrine\/([^?]*)/.exec(url) ?? [];
    const file = join(folder, normalize(`/${path === '' ? 'index.html' : path}`));
    const content = path === undefined ? undefined : await readFile(file).catch(() => undefined);
    res.writeHead(content ? 200 : 404, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'max-age=600',
    });
    res.end(content);
  });
  const url = `${await listenOn(server)}/vitrine/`;
  return {
    folder,
    url,
    entries: Object.values(entries),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
};

const screen = { width: 1280, height: 720 } as const;
const phone = { width: 375, height: 800 } as const;

interface Visits {
  readonly viewport: typeof screen | typeof phone;
  /** Default light. */
  readonly theme?: 'light' | 'dark';
  /** Default all. */
  readonly ids?: readonly string[];
  /** Whether `look` moves the clock, which the pages share. Default false. */
  readonly hasClock?: boolean;
}

/** The base URL of the pages. */
interface VisitedManual {
  readonly browser: Browser;
  readonly manual: Manual;
}

/** Number of pages open at once: while one waits, another renders. */
const tabCount = 3;

/** IDs of all documentation pages. */
const docsPagesOf = ({ entries }: Manual): string[] =>
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

/** Opens pages of documentation, a few at a time, and gives what `look` finds, with the page's ID before it. */
const visitPages = async (
  { browser, manual }: VisitedManual,
  { viewport, theme = 'light', ids = docsPagesOf(manual), hasClock = false }: Visits,
  look: (page: Page, id: string) => Promise<readonly string[]>,
): Promise<string[]> => {
  // Skeletons would be drawn again and again.
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' });
  if (hasClock) await context.clock.install();
  const found: string[] = [];
  const rest = ids.values();
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
  await Promise.all(Array.from({ length: Math.min(tabCount, ids.length) }, visitRest));
  await context.close();
  return found;
};

/** Prefix of the IDs of state stories. */
const states = 'components-embeddedreport-states--';
const statesPage = `${states}docs`;
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
const storiesOn = (page: Page): Promise<{ story: string; seen: string[] }[]> =>
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
const isAsExpected = ({ story, seen }: { story: string; seen: readonly string[] }): boolean =>
  withoutReport.has(story)
    ? seen.length === 0
    : seen.length > 0 && seen.every((state) => state === (expected[story] ?? 'ready'));

/** The stories of a page whose reports are in another state. */
const wrongOn = async (page: Page): Promise<string[]> =>
  (await storiesOn(page))
    .filter((story) => !isAsExpected(story))
    .map(({ story, seen }) => `${story} shows ${seen.join(', ') || 'nothing'}`);

/** The code of every story of a page after "Show code". */
const codesOn = async (page: Page): Promise<string[]> => {
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
const isForUsers = (code: string): boolean =>
  code.includes("from '@vitrine/react") &&
  !/environment|stage|\bfn\b|function|host-|No code available|^[ ]+$/m.test(code);

/** The axe violations of a page, without Storybook's own interface. Reports are pages of their own. */
const violationsOn = (page: Page): Promise<string[]> =>
  findViolations(page, { exclude: ['.docblock-argstable', '.docblock-code-toggle'] });

/** A phone scrolls a page only vertically. */
const widthComplaintsOn = async (page: Page): Promise<string[]> => {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  return width > phone.width ? [`is ${width} pixels wide on a phone`] : [];
};

/** Visual errors of a page, once its stories are in their own states. */
const complaintsOf = async (page: Page): Promise<string[]> => {
  await expect.poll(() => wrongOn(page), { timeout: 60_000 }).toEqual([]);
  const isPhone = page.viewportSize()?.width === phone.width;
  return [...(isPhone ? await widthComplaintsOn(page) : []), ...(await violationsOn(page))];
};

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
  'components-embedprovider--docs',
  'guides-troubleshooting--docs',
  'reference-errors--docs',
  'reference-comparison--docs',
  'api-react-devtools--docs',
];

/** The stories of a page, and what is wrong with them, with their code, and with the links and the width of the page. */
const inspect = async (page: Page, id: string) => {
  await expect.poll(() => wrongOn(page), { timeout: 60_000 }).toEqual([]);
  const violations = kinds.includes(id) ? await violationsOn(page) : [];
  const stories = await storiesOn(page);
  const codes = await codesOn(page);
  expect(codes.length).toBeGreaterThanOrEqual(stories.length);
  const found = [
    ...violations,
    ...codes.filter((code) => !isForUsers(code)),
    ...(await deadLinksOn(page)).map((href) => `${href} leads nowhere`),
    ...(await widthComplaintsOn(page)),
  ];
  return { stories, found };
};

it('shows every story in its own state, with user code, valid links and a layout that fits a phone, and passes axe', {
  timeout: 900_000,
}, async () => {
  let count = 0;
  const ids = docsPagesOf(manual).filter((id) => id !== statesPage);
  const complaints = await visitPages({ browser, manual }, { viewport: phone, ids }, async (page, id) => {
    const { stories, found } = await inspect(page, id);
    // Added after the wait: several pages are looked at concurrently.
    count += stories.length;
    return found;
  });
  expect(complaints).toEqual([]);
  expect(ids).toEqual(expect.arrayContaining(kinds));
  expect(count).toBeGreaterThanOrEqual(18);
});

it('does so on the page of all states, and keeps each of them after all timeouts', {
  timeout: 120_000,
}, async () => {
  const visits = { viewport: phone, ids: [statesPage], hasClock: true };
  const complaints = await visitPages({ browser, manual }, visits, async (page, id) => {
    const { stories, found } = await inspect(page, id);
    expect(stories.length).toBeGreaterThan(10);
    await page.clock.fastForward(15_000);
    return [...found, ...(await wrongOn(page))];
  });
  expect(complaints).toEqual([]);
});

it.runIf(isLong).each([
  { theme: 'light', viewport: screen },
  { theme: 'light', viewport: phone },
  { theme: 'dark', viewport: screen },
  { theme: 'dark', viewport: phone },
] as const)(
  'has no accessibility violations on any page: $theme, $viewport.width pixels wide',
  async (look) => {
    expect(await visitPages({ browser, manual }, look, complaintsOf)).toEqual([]);
  },
);

it('shows placeholders unchanged', { timeout: 120_000 }, async () => {
  const page = await browser.newPage();
  await page.goto(`${manual.url}iframe.html?viewMode=docs&id=reference-interface-of-the-portal--docs`);
  const placeholder = page.getByText('/report/<reportId>?ev=<ENCRYPTED_KEY>').first();
  await placeholder.waitFor();
  expect(await placeholder.isVisible()).toBe(true);
  await page.close();
});

it('opens on a front page with one search, which finds an error code, and with three ways in', {
  timeout: 120_000,
}, async () => {
  const page = await browser.newPage();
  await page.goto(manual.url);
  await expect.poll(() => page.url(), { timeout: 30_000 }).toContain('/docs/vitrine--docs');
  const preview = page.frameLocator('#storybook-preview-iframe');
  await preview.getByRole('searchbox').fill('frame_blocked');
  await preview.getByRole('link', { name: 'frame_blocked', exact: true }).click();
  await expect.poll(() => page.url()).toContain('reference-errors--docs#frame_blocked');
  await preview.getByRole('heading', { name: 'frame_blocked' }).waitFor();
  // Goes back in one step.
  await page.evaluate(() => history.back());
  await preview.getByRole('link', { name: /^Does it work with my portal/ }).click();
  await preview.getByRole('heading', { name: 'Which portal' }).waitFor();
  expect(await page.getByRole('search').filter({ visible: true }).count()).toBe(0);
  await page.close();
});

it('has llms.txt with a sentence for each page, and a Markdown copy of each whose links resolve', async () => {
  const list = await (await fetch(`${manual.url}llms.txt`)).text();
  expect(list).toMatch(/^# Vitrine\n\n> Vitrine shows the reports of a BI portal/);
  const files = [...list.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S.{20,}$/gm)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(60);
  expect(files).toHaveLength(list.match(/^- /gm)?.length ?? 0);
  const linksOf = (file: string): string[] =>
    [
      ...readFileSync(join(manual.folder, file), 'utf8')
        .replaceAll(/^```[^]*?^```$/gm, '')
        .matchAll(/\]\((?![a-z]+:)([\w./@-]+)/g),
    ].map(([, target = '']) => join(dirname(file), target));
  const isServed = (file: string) => existsSync(join(manual.folder, file));
  expect([...files, ...files.flatMap(linksOf)].filter((file) => !isServed(file))).toEqual([]);
  expect(isServed('README.md')).toBe(false); // that of the pictures would pass for the repository's
});
