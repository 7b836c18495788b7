import { type Browser, chromium } from 'playwright';
import { chromiumFlags, findBrowser, findHeadlessShell } from '../../scripts/findBrowser.ts';

export interface BrowserOptions {
  /** Whether it is the Chromium that a person uses: engines and figures need that one. Default: a headless shell will do. */
  readonly isWhole?: boolean;
  /** Whether pages are kept for the way back, as in a person's browser. Playwright turns that off. Default false. */
  readonly hasBackForwardCache?: boolean;
}

/** Starts a headless Chromium with the project's flags. */
export const launchBrowser = ({
  hasBackForwardCache = false,
  isWhole = hasBackForwardCache,
}: BrowserOptions = {}): Promise<Browser> => {
  const executablePath = (isWhole ? undefined : findHeadlessShell()) ?? findBrowser();
  return chromium.launch({
    args: [...chromiumFlags],
    ignoreDefaultArgs: hasBackForwardCache ? ['--disable-back-forward-cache'] : [],
    ...(executablePath && { executablePath }),
  });
};
