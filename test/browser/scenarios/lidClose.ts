import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import { vi } from 'vitest';
import { chromiumFlags, findBrowser } from '../../../scripts/findBrowser.ts';
import type { HostPage } from '../host/main.tsx';
import type { Wake } from '../host/recordVisibleKeys.ts';
import type { StrictHost } from '../host/serveHost.ts';
import { isStill, processTree } from './processTree.ts';

/** How often the lid is closed, and how fast the report's time runs: a key has a lifetime of one minute of it. */
export interface LidCloseOptions {
  readonly cycles: number;
  readonly speed: number;
}

/** What two pages of one browser recorded: ours, and the control, a frame without key renewal. */
export interface LidCloseFindings {
  readonly ours: readonly Wake[];
  readonly control: readonly Wake[];
}

const lifetimeMs = 60_000;
const patience = { timeout: 60_000, interval: 20 };
/** The number of key lifetimes after which the machine counts as too slow for the speed. */
const lifetimesUntilYoung = 10;

class TooFast extends Error {
  override readonly name = 'TooFast';
}

/** A browser ends its own processes at any time. */
const signalTo = (pid: number, signal: 'SIGSTOP' | 'SIGCONT') => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

const ageIn = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { host: HostPage }).host.record.age());

/** Every suspension that a page recorded. */
const wakesIn = (page: Page): Promise<readonly Wake[]> =>
  page.evaluate(() => [...(globalThis as unknown as { host: HostPage }).host.record.wakes]);

const endedIn = (wakes: readonly Wake[]) => wakes.filter(({ hadEnded }) => hadEnded);

/**
 * Stops every process of a browser while a key is new, and resumes them after it has expired. If keys are old before a
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
    /** A busy machine may stop the browser when nothing is visible anymore; then the lid is closed again. */
    while (endedIn(await wakesIn(page)).length < cycles) {
      await vi.waitFor(
        async () => {
          const age = await ageIn(page);
          if (age === undefined || age > 0.5) throw new TooFast('No new key is visible.');
        },
        { timeout: (lifetimesUntilYoung * lifetimeMs) / speed, interval: patience.interval },
      );
      const before = (await wakesIn(page)).length;
      await vi.waitFor(() => {
        // Repeated for processes that were started in between.
        signalAll('SIGSTOP');
        if (!processTree(root).every(isStill)) throw new Error('The browser still runs.');
      }, patience);
      // Real time has to pass, because this tests the browser's own clocks.
      await sleep(Math.max(1_100, (lifetimeMs * 1.1) / speed));
      signalAll('SIGCONT');
      await vi.waitFor(async () => {
        const wakes = await wakesIn(page);
        if (wakes.length === before || wakes.at(-1)?.staleMs === undefined)
          throw new Error('The page is not idle after its return.');
      }, patience);
    }
    return { ours: endedIn(await wakesIn(page)), control: endedIn(await wakesIn(plain)) };
  } finally {
    signalAll('SIGCONT');
    await server.close();
  }
};
