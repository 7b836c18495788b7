import { type Browser, chromium } from 'playwright';
import { chromiumFlags, findBrowser } from './findBrowser.ts';

/** Starts a headless Chromium with the project's flags. */
export const launchBrowser = (): Promise<Browser> => {
  const executablePath = findBrowser();
  return chromium.launch({ args: [...chromiumFlags], ...(executablePath && { executablePath }) });
};
