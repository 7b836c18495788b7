import type { Browser, BrowserContext } from 'playwright';
import { launchBrowser } from '../launchBrowser.ts';
import { createTab } from './createScope.ts';
import { type Engine, type ReaderSettings, windowSize } from './engine.ts';

/**
 * Starts Chromium through Playwright: a headless shell, which takes half the CPU time, and alongside it the browser that
 * people use, for tabs that need it.
 */
export const launchChromium = async (settings: ReaderSettings = {}): Promise<Engine> => {
  const { reducedMotion = false, forcedColors = false, zoom = 1 } = settings;
  const browser = await launchBrowser();
  let whole: Browser | undefined;
  let context: BrowserContext | undefined;
  return {
    name: 'chromium',
    open: async ({ isWhole = false } = {}) => {
      await context?.close();
      if (isWhole) whole ??= await launchBrowser({ hasBackForwardCache: true });
      context = await ((isWhole && whole) || browser).newContext({
        // A frame takes the scheme of its host, unless the driver sets one.
        colorScheme: null,
        reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
        forcedColors: forcedColors ? 'active' : 'none',
        viewport: { width: windowSize.width / zoom, height: windowSize.height / zoom },
        deviceScaleFactor: zoom,
      });
      const page = await context.newPage();
      const heard: string[] = [];
      page.on('console', (message) => heard.push(message.text()));
      page.on('pageerror', (error) => heard.push(error.message));
      return createTab(page, heard);
    },
    close: async () => void (await Promise.all([browser.close(), whole?.close()])),
  };
};
