import type { Browser, BrowserContext, Frame, Page } from 'playwright';
import { launchBrowser } from '../launchBrowser.ts';
import { createScope } from './createScope.ts';
import { type Engine, type ReaderSettings, type Scope, windowSize } from './engine.ts';

const scopeOf = (frame: () => Promise<Frame>): Scope =>
  createScope({
    run: async (expression) => (await frame()).evaluate(expression),
    click: async (selector) => (await frame()).locator(selector).click(),
  });

const frameIn = async (page: Page, selector: string): Promise<Frame> => {
  const element = await page.$(selector);
  const frame = await element?.contentFrame();
  if (!frame) throw new Error(`There is no frame "${selector}".`);
  return frame;
};

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
      return {
        ...scopeOf(() => Promise.resolve(page.mainFrame())),
        goto: async (url) => void (await page.goto(url)),
        frame: (selector) => scopeOf(() => frameIn(page, selector)),
        press: (key) => page.keyboard.press(key),
        heard: () => heard,
      };
    },
    close: async () => void (await Promise.all([browser.close(), whole?.close()])),
  };
};
