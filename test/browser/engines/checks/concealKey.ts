import { expect } from 'vitest';
import { createCanaryScanner } from '../../../support/createCanaryScanner.ts';
import { renewalDueMs } from '../host/serveEngineHost.ts';
import {
  advanceClock,
  ask,
  type Check,
  type CheckContext,
  openSignedIn,
  readRecord,
  waitForRegions,
  waitForState,
  waitUntil,
} from './check.ts';

/** Names of the places outside the report's own frame that contain a part of a key. */
const findLeaks = async (context: CheckContext): Promise<string[]> => {
  const { tab } = context;
  const { keys, recorded } = await ask(() => readRecord(context));
  const scanner = createCanaryScanner(...keys);
  const places = {
    document: [...recorded.document, await ask(() => tab.evaluate(() => document.documentElement.outerHTML))],
    'Resource Timing': [await ask(() => tab.evaluate(() => JSON.stringify(performance.getEntries())))],
    PerformanceObserver: recorded.timing,
    storage: [
      await ask(() =>
        tab.evaluate(async () =>
          JSON.stringify([
            localStorage,
            sessionStorage,
            document.cookie,
            await indexedDB.databases(),
            // Not offered to pages without TLS everywhere.
            await globalThis.caches?.keys(),
          ]),
        ),
      ),
    ],
    console: [...recorded.console, ...tab.heard()],
    history: [
      await ask(() =>
        tab.evaluate(() =>
          JSON.stringify([
            location.href,
            history.state,
            window.name,
            // The address that the next page receives as its referrer.
            document.referrer,
          ]),
        ),
      ),
    ],
  };
  return Object.entries(places)
    .filter(([, texts]) => scanner.find(texts.join('\n')) !== undefined)
    .map(([place]) => place);
};

/** Shows a report with a second key. */
const renewAndSearch = async (context: CheckContext): Promise<string[]> => {
  await advanceClock(context, renewalDueMs);
  await waitUntil(
    () => readRecord(context),
    ({ calls }) => calls.includes('swapped'),
  );
  await waitForState(context, 'ready');
  return findLeaks(context);
};

export const concealKey: Check = {
  title: 'keeps the key out of the page with concealKey',
  run: async (context) => {
    await openSignedIn(context, '/?conceal');
    await waitForRegions(context);
    await waitForState(context, 'ready');
    expect(await renewAndSearch(context)).toEqual([]);
  },
};

export const openKey: Check = {
  title: 'control: the same search finds the key without concealKey',
  isControl: true,
  continues: true, // after errorAndRetry
  run: async (context) => {
    expect(await renewAndSearch(context)).toEqual(
      expect.arrayContaining(['document', 'Resource Timing', 'PerformanceObserver']),
    );
  },
};
