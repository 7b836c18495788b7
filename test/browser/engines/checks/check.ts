import { setTimeout as pause } from 'node:timers/promises';
import { vi } from 'vitest';
import type { Tab } from '../../../support/engines/engine.ts';
import type { HostPage } from '../host/main.tsx';
import type { PageRecord } from '../host/pageRecord.ts';
import type { EngineHost } from '../host/serveEngineHost.ts';

/** What a check works with: a fresh tab, and a host app that all checks of an engine share. */
export interface CheckContext {
  readonly tab: Tab;
  readonly host: EngineHost;
}

/** One promise of the component that is kept in every engine. */
export interface Check {
  /** Sentence that names it, in the test run and in the manual. */
  readonly title: string;
  /** Whether it proves that another check can fail, and has no place in the manual. */
  readonly isControl?: boolean;
  readonly run: (context: CheckContext) => Promise<void>;
}

/** The frame that a person sees. */
export const shownFrame = 'iframe:not([style*="hidden"])';

const patience = { timeout: 20_000, interval: 50 };
/** A driver that drops an answer, as WebKit's does while a page comes back, is asked again. */
const answerWithinMs = 4_000;

/** Waits until a value passes; tells the last one otherwise. */
export const waitUntil = <TValue>(
  read: () => Promise<TValue>,
  isRight: (value: TValue) => boolean,
): Promise<TValue> =>
  vi.waitFor(async () => {
    const value = await Promise.race([
      read(),
      pause(answerWithinMs, undefined, { ref: false }).then(() => {
        throw new Error('The browser did not answer.');
      }),
    ]);
    if (!isRight(value)) throw new Error(`Still ${JSON.stringify(value)}.`);
    return value;
  }, patience);

/** State and error code of the report. */
export const readState = ({ tab }: CheckContext): Promise<string> =>
  tab.evaluate(() => {
    const report = document.querySelector<HTMLElement>('[data-state]');
    return [report?.dataset['state'], report?.dataset['code']].filter(Boolean).join(' ');
  });

export const waitForState = async (context: CheckContext, state: string): Promise<void> =>
  void (await waitUntil(
    () => readState(context),
    (value) => value === state,
  ));

/** What the page recorded of itself so far. */
export const readRecord = ({ tab }: CheckContext): Promise<PageRecord> =>
  // The host page sets it.
  tab.evaluate(() => (globalThis as unknown as { host: HostPage }).host.record);

/** Moves the page's clock on. */
export const advanceClock = ({ tab }: CheckContext, ms: number): Promise<void> =>
  tab.evaluate((ms: number) => (globalThis as unknown as { host: HostPage }).host.advanceClock(ms), ms);

/** Opens a page of the host app as the regional manager of the north. */
export const openSignedIn = async ({ tab, host }: CheckContext, address = '/'): Promise<void> => {
  await tab.goto(host.url + address);
  await waitUntil(
    () => tab.evaluate(() => document.querySelector('#north') !== null),
    (isThere) => isThere,
  );
  await tab.click('#north');
};

/** Regions that the report shows, read in its own document. */
export const readRegions = ({ tab }: CheckContext): Promise<string[]> =>
  tab
    .frame(shownFrame)
    .evaluate(() =>
      [...document.querySelectorAll('[data-visual="revenue-by-region"] [role="option"]')].map(
        ({ textContent }) => textContent.split(':')[0] ?? '',
      ),
    );

export const waitForRegions = (context: CheckContext): Promise<string[]> =>
  waitUntil(
    () => readRegions(context),
    (regions) => regions.length > 0,
  );
