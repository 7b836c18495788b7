import { type Browser, chromium } from 'playwright';
import { chromiumFlags, findBrowser, findHeadlessShell } from '../../scripts/findBrowser.ts';

export interface BrowserOptions {
  /** Whether it must be the full Chromium, as for engines and figures. Default: a headless shell is enough. */
  readonly isWhole?: boolean;
  /** Whether the back/forward cache is enabled, which Playwright turns off. Default false. */
  readonly hasBackForwardCache?: boolean;
}

/**
 * Starts a headless Chromium with the project's flags. Its pages do not animate, unless a test asks for it: without a GPU,
 * every frame of an animation costs CPU time.
 */
export const launchBrowser = async ({
  hasBackForwardCache = false,
  isWhole = hasBackForwardCache,
}: BrowserOptions = {}): Promise<Browser> => {
  const executablePath = (isWhole ? undefined : findHeadlessShell()) ?? findBrowser();
  const browser = await chromium.launch({
    args: [...chromiumFlags],
    ignoreDefaultArgs: hasBackForwardCache ? ['--disable-back-forward-cache'] : [],
    ...(executablePath && { executablePath }),
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = (options) => newContext({ reducedMotion: 'reduce', ...options });
  return browser;
};
