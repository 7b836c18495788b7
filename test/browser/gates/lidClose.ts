import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import { vi } from 'vitest';
import { chromiumFlags, findBrowser } from '../../../scripts/findBrowser.ts';
import type { HostPage } from '../host/main.tsx';
import type { Wake } from '../host/recordVisibleKeys.ts';
import type { StrictHost } from '../host/serveHost.ts';
import { isStill, processTree } from './processTree.ts';

/** How often the lid is closed, and how fast the report's time runs: a key lives for a minute of it. */
export interface LidCloseOptions {
  readonly cycles: number;
  readonly speed: number;
}

/** What two pages of one browser noticed: ours, and the control, a frame that nothing watches over. */
export interface LidCloseFindings {
  readonly ours: readonly Wake[];
  readonly control: readonly Wake[];
}

const lifetimeMs = 60_000;
const patience = { timeout: 60_000, interval: 20 };
/** So many lifetimes of a key may pass before the machine counts as too slow for the speed. */
const lifetimesUntilYoung = 10;

class TooFast extends Error {
  override readonly name = 'TooFast';
}

/** A browser ends processes of its own whenever it likes. */
const signalTo = (pid: number, signal: 'SIGSTOP' | 'SIGCONT') => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

const ageIn = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { host: HostPage }).host.record.age());

/** Every sleep that a page noticed. */
const wakesIn = (page: Page): Promise<readonly Wake[]> =>
  page.evaluate(() => [...(globalThis as unknown as { host: HostPage }).host.record.wakes]);

const endedIn = (wakes: readonly Wake[]) => wakes.filter(({ hadEnded }) => hadEnded);

/**
 * Stops every process of a browser while a key is young, and lets them go on when it has ended. Where keys are old before a
 * busy machine shows them, time runs half as fast.
 */
export const closeLid = async (host: StrictHost, options: LidCloseOptions): Promise<LidCloseFindings> => {
  try {
    return await closeLidAt(host, options);
  } catch (error) {
    if (!(error instanceof TooFast) || options.speed < 4) throw error;
    return closeLid(host, { ...options, speed: options.speed / 2 });
  }
};

const closeLidAt = async (
  { url }: StrictHost,
  { cycles, speed }: LidCloseOptions,
): Promise<LidCloseFindings> => {
  const executablePath = findBrowser();
  const server = await chromium.launchServer({
    args: [...chromiumFlags],
    ...(executablePath && { executablePath }),
  });
  const root = server.process().pid ?? 0;
  const signalAll = (signal: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of processTree(root)) signalTo(pid, signal);
  };
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const open = async (wish: string) => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${url}/?speed=${speed}${wish}`);
      return page;
    };
    const [page, plain] = [await open(''), await open('&plain')];
    await vi.waitFor(async () => {
      if ((await ageIn(plain)) === undefined) throw new Error('The control shows nothing.');
    }, patience);
    /** A busy machine may stop the browser so late that nothing was in sight any more; then the lid is closed once more. */
    while (endedIn(await wakesIn(page)).length < cycles) {
      await vi.waitFor(
        async () => {
          const age = await ageIn(page);
          if (age === undefined || age > 0.5) throw new TooFast('No young key is in sight.');
        },
        { timeout: (lifetimesUntilYoung * lifetimeMs) / speed, interval: patience.interval },
      );
      const before = (await wakesIn(page)).length;
      await vi.waitFor(() => {
        // Once more for those that were born in between.
        signalAll('SIGSTOP');
        if (!processTree(root).every(isStill)) throw new Error('The browser still runs.');
      }, patience);
      // True time has to pass here: it is the browser's own clocks that are put to the test.
      await sleep(Math.max(1_100, (lifetimeMs * 1.1) / speed));
      signalAll('SIGCONT');
      await vi.waitFor(async () => {
        const wakes = await wakesIn(page);
        if (wakes.length === before || wakes.at(-1)?.staleMs === undefined)
          throw new Error('The page has not come to itself.');
      }, patience);
    }
    return { ours: endedIn(await wakesIn(page)), control: endedIn(await wakesIn(plain)) };
  } finally {
    signalAll('SIGCONT');
    await server.close();
  }
};
