import puppeteer, { type Browser, type BrowserContext, type LaunchOptions } from 'puppeteer-core';
import { chromiumFlags, findBrowser, findHeadlessShell } from '../../../scripts/findBrowser.ts';
import { createTab, type Engine, type EngineName, type ReaderSettings, windowFor } from './engine.ts';
import { findFirefox, findWebKit } from './findEngines.ts';
import { launchWebKit } from './webkit.ts';

/** Options for Chromium: a headless shell, which takes half the CPU time, or the browser that people use. */
const chromiumOptions = (settings: ReaderSettings, isWhole: boolean): LaunchOptions => {
  const executablePath = (isWhole ? undefined : findHeadlessShell()) ?? findBrowser();
  const { zoom, ...size } = windowFor(settings);
  const adapted = ['--force-prefers-reduced-motion', '--force-high-contrast'];
  return {
    ...(executablePath && { executablePath }),
    headless: isWhole || 'shell',
    args: [...chromiumFlags, ...(settings.isAdapted ? adapted : [])],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    defaultViewport: { ...size, deviceScaleFactor: zoom },
  };
};

/** Options for Firefox, which Puppeteer drives through WebDriver BiDi. */
const firefoxOptions = (executablePath: string, settings: ReaderSettings): LaunchOptions => {
  const { zoom, width, height } = windowFor(settings);
  return {
    browser: 'firefox',
    executablePath,
    args: [`--width=${width}`, `--height=${height}`],
    defaultViewport: null,
    extraPrefsFirefox: {
      'ui.prefersReducedMotion': settings.isAdapted ? 1 : 0,
      // 2: the user's colors override those of the page.
      'browser.display.document_color_use': settings.isAdapted ? 2 : 1,
      'layout.css.devPixelsPerPx': String(zoom),
      // Pictures per second: without a graphics card, painting takes a third of its CPU time.
      'layout.frame_rate': 20,
    },
  };
};

/** Drives a browser through Puppeteer, and alongside it the one that people use, for tabs that need it. */
const launchThroughPuppeteer = async (
  options: LaunchOptions,
  wholeOptions?: LaunchOptions,
): Promise<Engine> => {
  const browser = await puppeteer.launch(options);
  let whole: Browser | undefined;
  let context: BrowserContext | undefined;
  return {
    open: async ({ isWhole = false } = {}) => {
      await context?.close();
      if (isWhole && wholeOptions) whole ??= await puppeteer.launch(wholeOptions);
      context = await ((isWhole && whole) || browser).createBrowserContext();
      const page = await context.newPage();
      const heard: string[] = [];
      page.on('console', (message) => heard.push(message.text()));
      page.on('pageerror', (error) => heard.push(String(error)));
      const documentOf = async (frameSelector?: string) => {
        if (frameSelector === undefined) return page.mainFrame();
        const frame = await (await page.$(frameSelector))?.contentFrame();
        if (!frame) throw new Error(`There is no frame "${frameSelector}".`);
        return frame;
      };
      return createTab({
        run: async (expression, frame) => (await documentOf(frame)).evaluate(expression),
        click: async (selector, frame) => (await documentOf(frame)).click(selector),
        goto: (url) => page.goto(url),
        press: (key) => page.keyboard.press(key),
        heard,
      });
    },
    close: async () => void (await Promise.all([browser.close(), whole?.close()])),
  };
};

/** Starts an installed browser engine. */
export const launchEngine = async (name: EngineName, settings: ReaderSettings = {}): Promise<Engine> => {
  const [firefox, webkit] = [findFirefox(), findWebKit()];
  if (name === 'chromium')
    return launchThroughPuppeteer(chromiumOptions(settings, false), chromiumOptions(settings, true));
  if (name === 'firefox' && firefox) return launchThroughPuppeteer(firefoxOptions(firefox, settings));
  if (name === 'webkit' && webkit) return launchWebKit(webkit, settings);
  throw new Error(`This machine has no ${name}.`);
};
