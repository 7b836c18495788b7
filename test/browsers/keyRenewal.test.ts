import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createDemo, type Demo } from '../../examples/demo/backend/createDemo.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { regionsIn, signIn } from './demoPage.ts';

const minuteMs = 60_000;
const lifetimeMs = 30 * minuteMs;
const patience = { timeout: 20_000, interval: 100 };

let browser: Browser;
let demo: Demo;
beforeAll(async () => {
  // One time for all: host and portal run in this process, and the page's clock follows. Timers are real.
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  [browser, demo] = await Promise.all([launchBrowser(), createDemo({ keyLifetime: lifetimeMs })]);
});
afterAll(async () => {
  vi.useRealTimers();
  await Promise.all([browser?.close(), demo?.close()]);
});

/** Runs in the page before anything else: counts key requests without a response. */
const countKeyRequests = () => {
  const send = window.fetch.bind(window);
  const count = (step: number) => {
    const before = Number(Reflect.get(window, 'keyRequestsInFlight') ?? 0);
    Reflect.set(window, 'keyRequestsInFlight', before + step);
  };
  count(0);
  window.fetch = async (...request) => {
    const [address] = request;
    if (typeof address !== 'string' || !address.endsWith('/keys')) return send(...request);
    count(1);
    try {
      const response = await send(...request);
      await response.clone().arrayBuffer();
      return response;
    } finally {
      count(-1);
    }
  };
};

it('renews the key of an open report before it expires, and keeps the report visible', async () => {
  // Node sets the Date header from the real clock, so the portal seems to be behind the clock that this test advances.
  // A page whose minutes pass at once may also wait for a heartbeat that the stream sends in real time.
  const ofTheMovedClock = /portal's clock is|A proxy buffers the action stream/;
  const warnings: string[] = [];
  vi.spyOn(console, 'warn').mockImplementation((text) => void warnings.push(String(text)));
  onTestFinished(() => expect(warnings.filter((text) => !ofTheMovedClock.test(text))).toEqual([]));
  const page = await browser.newPage();
  await page.clock.install({ time: Date.now() });
  await page.addInitScript(countKeyRequests);
  const inFlight = () => page.evaluate(() => Reflect.get(window, 'keyRequestsInFlight'));
  // In steps, so that a key request ends before the next minute passes: a page that misses many minutes treats this as
  // a suspension and requests again, and a request that takes a minute is aborted.
  const pass = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= minuteMs) {
      vi.advanceTimersByTime(Math.min(left, minuteMs));
      await page.clock.fastForward(Math.min(left, minuteMs));
      await vi.waitFor(async () => expect(await inFlight()).toBe(0), { ...patience, interval: 10 });
    }
  };
  const keysAsked: (string | null)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/embed/keys')) keysAsked.push(request.postData());
  });
  const frame = page.locator('iframe').first();

  await signIn(page, demo.demoUrl, 'Regional manager, North');
  expect(await regionsIn(page)).toEqual(['North']);
  expect(keysAsked).toEqual(['{"itemId":1042}']);
  const firstAddress = (await frame.getAttribute('src')) ?? '';

  await pass(lifetimeMs * 0.6);
  expect(keysAsked).toHaveLength(1);

  // A report under the pointer counts as used, and would wait.
  await page.mouse.move(0, 0);
  await pass(lifetimeMs * 0.32);
  await vi.waitFor(() => expect(keysAsked).toHaveLength(2), patience);
  await vi.waitFor(async () => {
    expect((await frame.getAttribute('src')) === firstAddress).toBe(false);
    expect(await regionsIn(page)).toEqual(['North']);
  }, patience);

  await pass(lifetimeMs * 0.2);
  await page.locator('[data-state="ready"]').waitFor();
  expect(await regionsIn(page)).toEqual(['North']);

  // The old key has expired: only the new one still opens the report.
  const old = await browser.newPage();
  await old.goto(firstAddress);
  expect(await old.locator('html').getAttribute('data-portal-state')).toBe('expired');
});
