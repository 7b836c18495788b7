import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { By, Capabilities, Key, WebDriver } from 'selenium-webdriver';
import { Executor, HttpClient, type Request } from 'selenium-webdriver/http';
import { DriverService } from 'selenium-webdriver/remote';
import {
  createTab,
  type Engine,
  type Key as KeyName,
  type ReaderSettings,
  type Tab,
  windowFor,
} from './engine.ts';
import type { WebKitPaths } from './findEngines.ts';

/** The response to a command, which WebKit's driver now and then leaves out. */
const answerWithin = <TValue>(ms: number, response: Promise<TValue>): Promise<TValue> =>
  Promise.race([
    response,
    delay(ms, undefined, { ref: false }).then(() => {
      throw new Error('The browser did not answer.');
    }),
  ]);

class Client extends HttpClient {
  override send(request: Request) {
    return answerWithin(20_000, super.send(request));
  }
}

/** A navigation drops a running script: it fails after this time, and the test repeats it. */
const scriptTimeoutMs = 3_000;
const toolbarHeight = 38;

/** Starts an X server, which picks a free display by itself. */
const startDisplay = async (program: string) => {
  const child = spawn(program, ['-displayfd', '1', '-screen', '0', '1400x1100x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [chunk] = await once(child.stdout, 'data');
  return { process: child, display: `:${String(chunk).trim()}` };
};

/** Drives the tab of a session. */
const drive = (driver: WebDriver): Tab => {
  const find = (selector: string) => driver.findElement(By.css(selector));
  const enter = async (frame?: string) => {
    await driver.switchTo().defaultContent();
    if (frame !== undefined) await driver.switchTo().frame(await find(frame));
  };
  const run = async (expression: string, frame?: string) => {
    await enter(frame);
    // Synchronous scripts of this driver do not wait for promises.
    const { value, error } = await driver.executeAsyncScript<{ value?: unknown; error?: string }>(`
      const done = arguments[0];
      Promise.resolve().then(() => ${expression})
        .then((value) => done({ value }), (error) => done({ error: String(error) }));`);
    if (error !== undefined) throw new Error(error);
    return value;
  };
  return createTab({
    run: (expression, frame) => answerWithin(4_000, run(expression, frame)),
    click: async (selector, frame) => {
      await enter(frame);
      const element = await find(selector);
      await driver.executeScript('arguments[0].scrollIntoView({ block: "center" })', element);
      await driver.actions().move({ origin: element }).click().perform();
    },
    goto: async (url) => {
      await enter();
      await driver.get(url);
    },
    press: async (key) => {
      const name = key.toUpperCase() as Uppercase<KeyName>; // which no locale changes
      await driver.actions().sendKeys(Key[name]).perform();
    },
    heard: [],
  });
};

/** Starts WebKitGTK through its WebDriver, on its own display. */
export const launchWebKit = async (paths: WebKitPaths, settings: ReaderSettings): Promise<Engine> => {
  const { zoom, width, height } = windowFor(settings);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-webkit-'));
  mkdirSync(join(folder, 'gtk-3.0'));
  const animations = `gtk-enable-animations=${settings.isAdapted ? 0 : 1}`;
  writeFileSync(join(folder, 'gtk-3.0', 'settings.ini'), `[Settings]\n${animations}\n`);
  const screen = await startDisplay(paths.display);
  const service = new DriverService.Builder(paths.driver)
    .setLoopback(true)
    .setEnvironment({
      // Node lists no variable without a value.
      ...(process.env as Record<string, string>),
      DISPLAY: screen.display,
      XDG_CONFIG_HOME: folder,
      GDK_SCALE: String(zoom),
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
      // No page lives long enough to gain from optimized code.
      JSC_useDFGJIT: '0',
    })
    .build();
  const client = new Client(await service.start());
  let driver: WebDriver | undefined;
  return {
    open: async () => {
      await driver?.quit().catch(() => undefined);
      const session = new Capabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: paths.browser, args: ['--automation'] },
        timeouts: { script: scriptTimeoutMs },
      });
      driver = WebDriver.createSession(new Executor(client), session);
      await driver
        .manage()
        .window()
        .setRect({ width, height: height + toolbarHeight });
      return drive(driver);
    },
    close: async () => {
      await driver?.quit().catch(() => undefined);
      await service.kill();
      const ended = once(screen.process, 'exit');
      screen.process.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
