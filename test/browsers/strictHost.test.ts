import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chromiumFlags, findBrowser } from '../../scripts/findBrowser.ts';
import { createCanaryScanner } from '../support/findCanary.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { isLong, sized } from '../support/size.ts';
import { closeServer, listen } from '../support/standInPortal.ts';
import type { HostPage } from './host/main.tsx';
import type { Wake } from './host/pageRecord.ts';
import { type Host, serveHost } from './host/serveHost.ts';

/** Of a key. */
const lifetimeMs = 60_000;

let host: Host;
let browser: Browser;
/** A third-party server, its origin, and the headers of all its requests. */
let thirdServer: Server;
let third = '';
const heard: string[] = [];
beforeAll(async () => {
  thirdServer = createServer((request, response) => {
    heard.push(JSON.stringify([request.url, request.rawHeaders]));
    response.writeHead(204).end();
  });
  third = (await listen(thirdServer)).replace('127.0.0.1', 'third.localhost');
  [host, browser] = await Promise.all([serveHost(lifetimeMs), launchBrowser({ hasBackForwardCache: true })]);
});
afterAll(() => Promise.all([host?.close(), browser?.close(), closeServer(thirdServer)]));

/** The address of a page of the host with exactly the policy of the README. */
const addressOf = (wish: string) => `${host.url}/?policy=strict&third=${encodeURIComponent(third)}&${wish}`;

/** The interface of the page, which it sets. */
type HostWindow = { readonly host: HostPage };

/** What a page revealed during its renewals. */
interface ScanFindings {
  readonly keys: number;
  /** Entries that the renewals added to the history of the tab. */
  readonly historyGrowth: number;
  /** Violations of the page's policy, and all console messages. */
  readonly complaints: readonly string[];
  /** Places outside the report's own frame where a part of a key was found. */
  readonly leaks: readonly string[];
  /** Requests that a third party received. */
  readonly heardByThird: number;
}

const patience = { timeout: 60_000, interval: 20 };

/** Every place on the host's page that could retain something. */
const placesOf = async (page: Page): Promise<Record<string, string>> => ({
  ...(await page.evaluate(async () => ({
    document: document.documentElement.outerHTML,
    timing: JSON.stringify(performance.getEntries()),
    storage: JSON.stringify([localStorage, sessionStorage, document.cookie, window.name, history.state]),
    databases: JSON.stringify([await indexedDB.databases(), await caches.keys()]),
    address: location.href,
  }))),
  cookies: JSON.stringify(await page.context().cookies()),
});

/** Renews a report under the strict policy repeatedly, and searches for its keys wherever they must not be. */
const renewAndScan = async (
  wish: 'conceal' | 'view=plain' | 'src',
  renewals: number,
): Promise<ScanFindings> => {
  const page = await (await browser.newContext()).newPage();
  const scanner = createCanaryScanner();
  const seen = new Set<string>();
  const complaints: string[] = [];
  const leaks = new Set<string>();
  const keys: Promise<string>[] = [];
  const others: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (response) => {
    if (response.url().endsWith('/api/embed/keys')) keys.push(response.json().then(({ key }) => key));
  });
  page.on('request', (request) => {
    const isReport = new URL(request.url()).pathname.startsWith('/report/');
    // Requests of the portal's page to the portal itself are not the host's.
    if (!isReport && request.frame() === page.mainFrame())
      others.push(JSON.stringify([request.url(), request.headers(), request.postData()]));
  });
  const entries = async () => {
    const session = await page.context().newCDPSession(page);
    const { entries } = await session.send('Page.getNavigationHistory');
    return entries.length + (await page.evaluate(() => history.length));
  };
  const heardBefore = heard.length;
  const isShown = (count: number) =>
    vi.waitFor(async () => {
      const frames = page.frames().filter((frame) => frame.url().includes('/report/'));
      const isReady = wish === 'view=plain' || (await page.locator('[data-state="ready"]').count()) === 1;
      if (keys.length < count || frames.length !== 1 || !isReady) throw new Error('No report is shown.');
      const url = frames[0]?.url() ?? '';
      if (seen.has(url)) throw new Error('The report before is still shown.');
      seen.add(url);
      // A page that sends its URL to a third party whenever a report has loaded.
      await page.evaluate((url) => void (new Image().src = url), `${third}/pixel?${count}`);
    }, patience);
  const scan = async () => {
    for (const key of await Promise.all(keys)) scanner.add(key);
    const places = { ...(await placesOf(page)), console: complaints.join('\n'), requests: others.join('\n') };
    const thirdParty = heard.slice(heardBefore).join('\n');
    for (const [place, text] of Object.entries({ ...places, thirdParty }))
      if (scanner.find(text) !== undefined) leaks.add(place);
  };

  await page.goto(addressOf(wish));
  await isShown(1);
  await scan();
  const before = await entries();
  for (let renewal = 1; renewal <= renewals; renewal += 1) {
    if (wish === 'view=plain') await page.locator('#renew').click();
    else await page.evaluate((ms) => (globalThis as unknown as HostWindow).host.advanceClock(ms), 50_000);
    await isShown(renewal + 1);
    await scan();
  }
  const historyGrowth = (await entries()) - before;
  await vi.waitFor(async () => {
    // The history entry of a frame is written some time after its `load`.
    const timed = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    if (wish === 'view=plain' && !timed.some((name) => name.includes('/report/')))
      throw new Error('Not timed yet.');
    if (heard.length - heardBefore < renewals + 1) throw new Error('Not heard yet.');
  }, patience);
  await scan();
  await page.context().close();
  return {
    keys: keys.length,
    historyGrowth,
    complaints,
    leaks: [...leaks],
    heardByThird: heard.length - heardBefore,
  };
};

interface LeaveOptions {
  /**
   * `listen`: a report with `onAction`, in real time only, because the backend's heartbeats are. `renew`: a report
   * without. `view=plain`: a frame without key renewal.
   */
  readonly wish: 'listen' | 'renew' | 'view=plain' | 'view=plain&unload';
  /** How fast the report's time runs: a key has a lifetime of one minute of it. */
  readonly speed?: number;
  /** How far its clock is set forward before it is left. Default 0. */
  readonly aheadMs?: number;
  /** How long the page is away. Default: only the two navigations. */
  readonly awayMs?: number;
}

/** The state of a page after leaving and returning. */
interface ReturnFindings {
  /** Whether it is the same page, from the browser's back/forward cache. */
  readonly isRestored: boolean;
  /** The absence as the page measured it, if it was long. */
  readonly wake: Wake | undefined;
  /** The requests of the page to its backend after the return. */
  readonly asked: readonly string[];
}

const patientMs = 2_000;

/** Leaves a page that shows a report with a new key, and returns through the history. */
const leaveAndReturn = async ({
  wish,
  speed = 1,
  aheadMs = 0,
  awayMs = 0,
}: LeaveOptions): Promise<ReturnFindings> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, path] = /\/api\/embed\/(\w+)$/.exec(request.url()) ?? [];
    if (path !== undefined) asked.push(path);
  });
  await page.goto(addressOf(`wakes&speed=${speed}&${wish}`));
  await page.locator('[data-state="ready"]').waitFor();
  if (wish === 'listen') await vi.waitUntil(() => asked.includes('actions'), patience);

  if (aheadMs > 0)
    await page.evaluate((ms) => (globalThis as unknown as HostWindow).host.advanceClock(ms), aheadMs);

  await page.goto(`${host.url}/elsewhere`);
  asked.length = 0;
  // Real time has to pass, because this tests the browser's own clocks.
  await sleep(awayMs);
  // A page from the cache fires no load event.
  await page.goBack({ waitUntil: 'commit' });
  const findings = await vi.waitFor(async () => {
    const { isRestored, restoredAt, wake, isReady } = await page.evaluate(() => {
      const { isRestored, restoredAt, wakes } = (globalThis as unknown as HostWindow).host.record;
      const frames = document.querySelectorAll('iframe');
      const hasReady = document.querySelector('[data-state="ready"]') !== null;
      return { isRestored, restoredAt, wake: wakes[0], isReady: hasReady && frames.length === 1 };
    });
    const sinceReturnMs = Date.now() - restoredAt;
    const isAwake = awayMs === 0 || !isRestored || wake !== undefined;
    // The frame without key renewal gets as much time as ours.
    const isIdle = {
      listen: isReady && asked.includes('actions') && asked.includes('keys'),
      renew: isReady && asked.includes('keys'),
      'view=plain': awayMs === 0 || sinceReturnMs > patientMs,
      'view=plain&unload': asked.includes('keys'),
    }[wish];
    if (!isAwake || !isIdle) throw new Error('The page is not idle after its return.');
    return { isRestored, wake, asked };
  }, patience);
  await context.close();
  return findings;
};

const statOf = (pid: string): { parent: number; state: string } | undefined => {
  try {
    // The name in parentheses may contain anything; the rest does not.
    const [state = '', parent = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { parent: Number(parent), state };
  } catch {
    return undefined; // it has ended
  }
};

/** A process and all its descendants, according to Linux. */
const processTree = (root: number): readonly number[] => {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const { parent = 0 } = statOf(pid) ?? {};
    children.set(parent, [...(children.get(parent) ?? []), Number(pid)]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
};

/** Whether a process is inactive: it is stopped, or has ended and waits for its parent. */
const isStill = (pid: number): boolean => ['T', 'Z', 'X', undefined].includes(statOf(String(pid))?.state);

/** How often the lid is closed, and how fast the report's time runs: a key has a lifetime of one minute of it. */
interface LidCloseOptions {
  readonly cycles: number;
  readonly speed: number;
}

/** What two pages of one browser recorded: ours, and the control, a frame without key renewal. */
interface LidCloseFindings {
  readonly ours: readonly Wake[];
  readonly control: readonly Wake[];
}

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

const ageIn = (page: Page) => page.evaluate(() => (globalThis as unknown as HostWindow).host.readAge());

/** Every suspension that a page recorded. */
const wakesIn = (page: Page): Promise<readonly Wake[]> =>
  page.evaluate(() => [...(globalThis as unknown as HostWindow).host.record.wakes]);

const endedIn = (wakes: readonly Wake[]) => wakes.filter(({ hadEnded }) => hadEnded);

/**
 * Stops every process of a browser while a key is new, and resumes them after it has expired. If keys are old before a
 * busy machine shows them, time runs half as fast.
 */
const closeLid = async (options: LidCloseOptions): Promise<LidCloseFindings> => {
  try {
    return await closeLidAt(options);
  } catch (error) {
    if (!(error instanceof TooFast) || options.speed < 4) throw error;
    return closeLid({ ...options, speed: options.speed / 2 });
  }
};

const closeLidAt = async ({ cycles, speed }: LidCloseOptions): Promise<LidCloseFindings> => {
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
      await page.goto(addressOf(`wakes&speed=${speed}&${wish}`));
      return page;
    };
    const [page, plain] = [await open(''), await open('view=plain')];
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

const options = { timeout: isLong ? 3_600_000 : 180_000 };
const renewals = sized(2, 50);

describe('a page with exactly the policy that the README names', options, () => {
  it('shows and renews a report, without a history entry, and with concealKey leaves no part of a key anywhere', async () => {
    const findings = await renewAndScan('conceal', renewals);
    expect(findings).toEqual({
      keys: renewals + 1,
      historyGrowth: 0,
      complaints: [],
      leaks: [],
      heardByThird: renewals + 1,
    });
  });

  it('renews a report without a history entry when the key is not concealed', async () => {
    const findings = await renewAndScan('src', renewals);
    expect(findings).toMatchObject({ keys: renewals + 1, historyGrowth: 0, complaints: [] });
  });

  it('control: the same check finds the keys and history entries of a frame that navigates to a new URL', async () => {
    const findings = await renewAndScan('view=plain', 2);
    expect(findings.leaks).toEqual(expect.arrayContaining(['document', 'timing']));
    expect(findings.historyGrowth).toBeGreaterThan(0);
  });
});

describe('a page that the viewer leaves and returns to through the history', options, () => {
  it('is kept in the back/forward cache, checks access, and opens its action stream again', async () => {
    // A key is requested at most every ten seconds.
    const { isRestored, asked } = await leaveAndReturn({ wish: 'listen', aheadMs: 10_000 });
    expect({ isRestored, asked: [...asked].sort() }).toEqual({
      isRestored: true,
      asked: ['actions', 'keys'],
    });
  });

  it('control: reloads when its report adds an unload listener', async () => {
    const { isRestored, asked } = await leaveAndReturn({ wish: 'view=plain&unload' });
    expect({ isRestored, asked }).toEqual({ isRestored: false, asked: ['keys'] });
  });
});

/** A key lives for five seconds, so that a page can be left while its key is young. */
const young = { speed: 12, awayMs: 5_500 };

describe.runIf(isLong)('a page in the back/forward cache whose key expires', () => {
  it.for([1, 2, 3, 4, 5])(
    'shows no expired key two seconds after the return, and has requested a new one (%s of 5)',
    async () => {
      const { isRestored, wake, asked } = await leaveAndReturn({ wish: 'renew', ...young });
      expect(isRestored).toBe(true);
      // The control proves that a key ends meanwhile; ours is dropped before the browser stores the page.
      expect(wake?.staleMs).toBeLessThanOrEqual(2_000);
      expect(asked).toContain('keys');
    },
  );

  it('control: a frame without key renewal still shows the expired key', async () => {
    const { isRestored, wake, asked } = await leaveAndReturn({ wish: 'view=plain', ...young });
    expect(isRestored).toBe(true);
    expect(wake?.hadEnded).toBe(true);
    expect(wake?.staleMs).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

// Only Linux lists the processes of a browser and can stop them as a closing lid does.
describe.runIf(process.platform === 'linux')(
  'a lid that closes with a valid key and opens after it has expired',
  options,
  () => {
    it('leaves no expired key visible, unlike a frame without key renewal', async () => {
      const cycles = sized(1, 20);
      const { ours, control } = await closeLid({ cycles, speed: isLong ? 12 : 30 });
      expect(ours.length).toBeGreaterThanOrEqual(cycles);
      // In a short run other tests share the machine.
      for (const { staleMs } of ours) expect(staleMs).toBeLessThanOrEqual(isLong ? 2_000 : 10_000);
      expect(control.length).toBeGreaterThan(0);
      for (const { staleMs } of control) expect(staleMs).toBeUndefined();
    });
  },
);
