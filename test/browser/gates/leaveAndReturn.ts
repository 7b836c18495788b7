import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright';
import { vi } from 'vitest';
import type { HostPage } from '../host/main.tsx';
import type { Wake } from '../host/recordVisibleKeys.ts';
import type { StrictHost } from '../host/serveHost.ts';

export interface LeaveOptions {
  readonly wish: 'listen' | 'plain' | 'plain&unload';
  /** How fast the report's time runs: a key lives for a minute of it. */
  readonly speed?: number;
  /** How long the page is away. Default: no longer than the way there and back takes. */
  readonly awayMs?: number;
}

/** What became of a page that somebody left and came back to. */
export interface ReturnFindings {
  /** Whether it is the same page, taken out of the browser's back/forward cache. */
  readonly isRestored: boolean;
  /** The absence as the page noticed it, if it was long. */
  readonly wake: Wake | undefined;
  /** What the page asked of its backend after the return. */
  readonly asked: readonly string[];
}

const patientMs = 2_000;
const patience = { timeout: 60_000, interval: 20 };

/** Leaves a page that shows a report with a young key, and comes back to it through the history. */
export const leaveAndReturn = async (
  browser: Browser,
  { url }: StrictHost,
  { wish, speed = 1, awayMs = 0 }: LeaveOptions,
): Promise<ReturnFindings> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, path] = /\/api\/embed\/(\w+)$/.exec(request.url()) ?? [];
    if (path !== undefined) asked.push(path);
  });
  await page.goto(`${url}/?speed=${speed}&${wish}`);
  await page.locator('[data-state="ready"]').waitFor();
  if (wish === 'listen') await vi.waitUntil(() => asked.includes('actions'), patience);

  await page.goto(`${url}/elsewhere`);
  asked.length = 0;
  // True time has to pass here: it is the browser's own clocks that are put to the test.
  await sleep(awayMs);
  // A page that is taken out of the cache does not load.
  await page.goBack({ waitUntil: 'commit' });
  const findings = await vi.waitFor(async () => {
    const { isRestored, wake, sinceReturnMs, isReady } = await page.evaluate(() => {
      const { record, restored } = (globalThis as unknown as { host: HostPage }).host;
      const frames = document.querySelectorAll('iframe');
      const hasReady = document.querySelector('[data-state="ready"]') !== null;
      const [returnedAt = 0] = restored;
      return {
        isRestored: restored.length > 0,
        wake: record.wakes[0],
        sinceReturnMs: performance.now() - returnedAt,
        isReady: hasReady && frames.length === 1,
      };
    });
    const isAwake = awayMs === 0 || !isRestored || wake !== undefined;
    // What nothing watches over is given the time that ours has.
    const isCalm =
      wish === 'listen' ? isReady && asked.includes('actions') : awayMs === 0 || sinceReturnMs > patientMs;
    if (!isAwake || !isCalm) throw new Error('The page has not come to itself.');
    return { isRestored, wake, asked };
  }, patience);
  await context.close();
  return findings;
};
