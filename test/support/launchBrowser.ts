import { type Browser, chromium } from 'playwright';
import { chromiumFlags, findBrowser, findHeadlessShell } from '../../scripts/findBrowser.ts';

export interface BrowserOptions {
  /** Whether it must be the full Chromium, as for engines and figures. Default: a headless shell is enough. */
  readonly isWhole?: boolean;
  /** Whether the back/forward cache is enabled, which Playwright turns off. Default false. */
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
