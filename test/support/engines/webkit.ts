import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { listenOn } from '../listenOn.ts';
import { createScope } from './createScope.ts';
import { type Engine, type Key, type ReaderSettings, type Scope, windowSize } from './engine.ts';
import type { WebKitPaths } from './findEngines.ts';

/** Sends commands to a WebDriver (https://www.w3.org/TR/webdriver2/), below an address. */
type SendCommand = ReturnType<typeof sendCommandsTo>;
const sendCommandsTo =
  (base: string) =>
  async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> => {
    const response = await fetch(base + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      // WebKit's now and then answers one never.
      signal: AbortSignal.timeout(20_000),
    });
    // The shape of every WebDriver response.
    const { value } = (await response.json()) as { value: unknown };
    if (response.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`The WebDriver answered "${error}" to ${method} ${path}: ${message}`);
  };

/** A navigation drops a running script: it fails after this time, and the test repeats it. */
const scriptTimeoutMs = 3_000;
const toolbarHeight = 38;

/** Key values of the WebDriver specification. */
const keyValues: Readonly<Record<Key, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  Home: '\uE011',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  const { port } = new URL(await listenOn(server));
  server.close();
  return Number(port);
};

/** Starts an X server, which picks a free display by itself. */
const startDisplay = async (program: string): Promise<{ process: ChildProcess; display: string }> => {
  const child = spawn(program, ['-displayfd', '3', '-screen', '0', '1400x1100x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const output = child.stdio[3];
  if (!output) throw new Error('The display has no pipe.');
  const [chunk] = (await once(output, 'data')) as [Buffer];
  return { process: child, display: `:${chunk.toString().trim()}` };
};

/** Starts the driver on a free port. */
const startDriver = async (
  program: string,
  env: NodeJS.ProcessEnv,
): Promise<{ process: ChildProcess; url: string }> => {
  const port = await freePort();
  const child = spawn(program, [`--port=${port}`], { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => sendCommandsTo(url)('GET', '/status'), { timeout: 10_000, interval: 50 });
  return { process: child, url };
};

const scopeOf = (call: SendCommand, frameSelector?: string): Scope => {
  /** An element in the current document: an object that commands accept unchanged. */
  const find = async (value: string) =>
    (await call('POST', '/element', { using: 'css selector', value })) as object;
  const enter = async () => {
    await call('POST', '/frame', { id: null });
    if (frameSelector !== undefined) await call('POST', '/frame', { id: await find(frameSelector) });
  };
  return createScope({
    run: async (expression) => {
      await enter();
      // Synchronous scripts of this driver do not wait for promises.
      const script = `
        const done = arguments[0];
        Promise.resolve().then(() => ${expression})
          .then((value) => done({ value }), (error) => done({ error: String(error) }));`;
      const result = await call('POST', '/execute/async', { script, args: [] });
      const { value, error } = result as { value?: unknown; error?: string };
      if (error !== undefined) throw new Error(error);
      return value;
    },
    click: async (selector) => {
      await enter();
      const origin = await find(selector);
      const scroll = 'arguments[0].scrollIntoView({ block: "center" })';
      await call('POST', '/execute/sync', { script: scroll, args: [origin] });
      const actions = [
        { type: 'pointerMove', duration: 0, origin, x: 0, y: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await call('POST', '/actions', {
        actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
      });
    },
  });
};

/** Starts WebKitGTK through its WebDriver, on its own display. */
export const launchWebKit = async (paths: WebKitPaths, settings: ReaderSettings = {}): Promise<Engine> => {
  const { reducedMotion = false, zoom = 1 } = settings;
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-webkit-'));
  mkdirSync(join(folder, 'gtk-3.0'));
  const animations = `gtk-enable-animations=${reducedMotion ? 0 : 1}`;
  writeFileSync(join(folder, 'gtk-3.0', 'settings.ini'), `[Settings]\n${animations}\n`);
  const screen = await startDisplay(paths.display);
  const driver = await startDriver(paths.driver, {
    ...process.env,
    DISPLAY: screen.display,
    XDG_CONFIG_HOME: folder,
    GDK_SCALE: String(zoom),
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
    // No page lives long enough to gain from optimized code.
    JSC_useDFGJIT: '0',
  });
  let call: SendCommand | undefined;
  return {
    name: 'webkit',
    open: async () => {
      await call?.('DELETE', '').catch(() => undefined);
      const alwaysMatch = {
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: paths.browser, args: ['--automation'] },
        timeouts: { script: scriptTimeoutMs },
      };
      const session = await sendCommandsTo(driver.url)('POST', '/session', { capabilities: { alwaysMatch } });
      const { sessionId } = session as { sessionId: string };
      const send = sendCommandsTo(`${driver.url}/session/${sessionId}`);
      call = send;
      const { width, height } = windowSize;
      const size = { width: width / zoom, height: height / zoom + toolbarHeight };
      await send('POST', '/window/rect', size);
      return {
        ...scopeOf(send),
        goto: async (url) => {
          await send('POST', '/frame', { id: null });
          await send('POST', '/url', { url });
        },
        frame: (selector) => scopeOf(send, selector),
        press: async (key) => {
          const value = keyValues[key];
          const actions = [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ];
          await send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
        },
        heard: () => [],
      };
    },
    close: async () => {
      await call?.('DELETE', '').catch(() => undefined);
      const ended = [driver.process, screen.process].map((child) => once(child, 'exit'));
      driver.process.kill();
      screen.process.kill();
      await Promise.all(ended);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
