import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright';
import { vi } from 'vitest';
import type { HostPage } from '../host/main.tsx';
import type { Wake } from '../host/recordVisibleKeys.ts';
import type { StrictHost } from '../host/serveHost.ts';

export interface LeaveOptions {
  /**
   * `listen`: a report with `onAction`, in real time only, because the backend's heartbeats are. `renew`: a report
   * without. `plain`: a frame without key renewal.
   */
  readonly wish: 'listen' | 'renew' | 'plain' | 'plain&unload';
  /** How fast the report's time runs: a key has a lifetime of one minute of it. */
  readonly speed?: number;
  /** How long the page is away. Default: only the two navigations. */
  readonly awayMs?: number;
}

/** The state of a page after leaving and returning. */
export interface ReturnFindings {
  /** Whether it is the same page, from the browser's back/forward cache. */
  readonly isRestored: boolean;
  /** The absence as the page measured it, if it was long. */
  readonly wake: Wake | undefined;
  /** The requests of the page to its backend after the return. */
  readonly asked: readonly string[];
}

const patientMs = 2_000;
const patience = { timeout: 60_000, interval: 20 };

/** Leaves a page that shows a report with a new key, and returns through the history. */
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
  // Real time has to pass, because this tests the browser's own clocks.
  await sleep(awayMs);
  // A page from the cache fires no load event.
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
    // The frame without key renewal gets as much time as ours.
    const isIdle = {
      listen: isReady && asked.includes('actions') && asked.includes('keys'),
      renew: isReady && asked.includes('keys'),
      plain: awayMs === 0 || sinceReturnMs > patientMs,
      'plain&unload': awayMs === 0 || sinceReturnMs > patientMs,
    }[wish];
    if (!isAwake || !isIdle) throw new Error('The page is not idle after its return.');
    return { isRestored, wake, asked };
  }, patience);
  await context.close();
  return findings;
};
