import { type Browser, chromium } from 'playwright';
import { chromiumFlags, findBrowser } from '../../scripts/findBrowser.ts';

export interface BrowserOptions {
  /** Whether pages are kept for the way back, as in a person's browser. Playwright turns that off. Default false. */
  readonly hasBackForwardCache?: boolean;
}

/** Starts a headless Chromium with the project's flags. */
export const launchBrowser = ({ hasBackForwardCache = false }: BrowserOptions = {}): Promise<Browser> => {
  const executablePath = findBrowser();
  return chromium.launch({
    args: [...chromiumFlags],
    ignoreDefaultArgs: hasBackForwardCache ? ['--disable-back-forward-cache'] : [],
    ...(executablePath && { executablePath }),
  });
};
