import puppeteer, { type BrowserContext } from 'puppeteer-core';
import { createTab } from './createScope.ts';
import { type Engine, type ReaderSettings, windowSize } from './engine.ts';

/** Starts Firefox through WebDriver BiDi. */
export const launchFirefox = async (
  executablePath: string,
  settings: ReaderSettings = {},
): Promise<Engine> => {
  const { reducedMotion = false, forcedColors = false, zoom = 1 } = settings;
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    args: [`--width=${windowSize.width / zoom}`, `--height=${windowSize.height / zoom}`],
    defaultViewport: null,
    extraPrefsFirefox: {
      'ui.prefersReducedMotion': Number(reducedMotion),
      // 2: the user's colors override those of the page.
      'browser.display.document_color_use': forcedColors ? 2 : 1,
      'layout.css.devPixelsPerPx': String(zoom),
      // Pictures per second: without a graphics card, painting takes a third of its CPU time.
      'layout.frame_rate': 20,
    },
  });
  let context: BrowserContext | undefined;
  return {
    name: 'firefox',
    open: async () => {
      await context?.close();
      context = await browser.createBrowserContext();
      const page = await context.newPage();
      const heard: string[] = [];
      page.on('console', (message) => heard.push(message.text()));
      page.on('pageerror', (error) => heard.push(String(error)));
      return createTab(page, heard);
    },
    close: () => browser.close(),
  };
};
