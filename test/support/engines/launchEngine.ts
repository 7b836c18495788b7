import { type Browser, type BrowserContext } from 'playwright';
import puppeteer, { type BrowserContext as FirefoxContext } from 'puppeteer-core';
import { launchBrowser } from '../launchBrowser.ts';
import { createScope } from './createScope.ts';
import {
  type Engine,
  type EngineName,
  type Key,
  type ReaderSettings,
  type Scope,
  type Tab,
  windowSize,
} from './engine.ts';
import { findFirefox, findWebKit } from './findEngines.ts';
import { launchWebKit } from './webkit.ts';

/** The parts that the pages of Playwright and of Puppeteer have in common. */
interface DrivenFrame {
  evaluate(expression: string): Promise<unknown>;
  click(selector: string): Promise<void>;
}
interface DrivenPage {
  readonly keyboard: { press(key: Key): Promise<void> };
  mainFrame(): DrivenFrame;
  $(selector: string): Promise<{ contentFrame(): Promise<DrivenFrame | null> } | null>;
  goto(url: string): Promise<unknown>;
}

/** Creates a {@link Tab} with a page. */
const createTab = (page: DrivenPage, heard: readonly string[]): Tab => {
  const scopeOf = (frame: () => Promise<DrivenFrame>): Scope =>
    createScope({
      run: async (expression) => (await frame()).evaluate(expression),
      click: async (selector) => (await frame()).click(selector),
    });
  return {
    ...scopeOf(async () => page.mainFrame()),
    goto: async (url) => void (await page.goto(url)),
    frame: (selector) =>
      scopeOf(async () => {
        const frame = await (await page.$(selector))?.contentFrame();
        if (!frame) throw new Error(`There is no frame "${selector}".`);
        return frame;
      }),
    press: (key) => page.keyboard.press(key),
    heard: () => heard,
  };
};

/**
 * Starts Chromium through Playwright: a headless shell, which takes half the CPU time, and alongside it the browser that
 * people use, for tabs that need it.
 */
const launchChromium = async (settings: ReaderSettings = {}): Promise<Engine> => {
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

/** Starts Firefox through WebDriver BiDi. */
const launchFirefox = async (executablePath: string, settings: ReaderSettings = {}): Promise<Engine> => {
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
  let context: FirefoxContext | undefined;
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

/** Starts an installed browser engine. */
export const launchEngine = async (name: EngineName, settings?: ReaderSettings): Promise<Engine> => {
  const [firefox, webkit] = [findFirefox(), findWebKit()];
  if (name === 'firefox' && firefox) return launchFirefox(firefox, settings);
  if (name === 'webkit' && webkit) return launchWebKit(webkit, settings);
  if (name === 'chromium') return launchChromium(settings);
  throw new Error(`This machine has no ${name}.`);
};
