import { expect } from 'vitest';
import { keyLifetimeMs } from '../host/serveEngineHost.ts';
import {
  advanceClock,
  type Check,
  type CheckContext,
  openSignedIn,
  readRecord,
  waitForState,
  waitUntil,
} from './check.ts';

/** Shows or hides the report, and waits for React. */
const toggle = async ({ tab }: CheckContext, mode: 'hidden' | 'visible'): Promise<void> => {
  await tab.click('#toggle');
  await waitUntil(
    () => tab.evaluate(() => document.querySelector('[data-state]')?.checkVisibility()),
    (isVisible) => isVisible === (mode === 'visible'),
  );
};

export const activity: Check = {
  title: 'keeps a report that <Activity> hides, and shows it again at once',
  run: async (context) => {
    await openSignedIn(context, '/?view=activity');
    await waitForState(context, 'ready');
    const before = await readRecord(context);
    await toggle(context, 'hidden');
    await toggle(context, 'visible');
    await waitForState(context, 'ready');
    const { keys, calls, states } = await readRecord(context);
    expect({ keys: keys.length, calls, states }).toEqual({
      keys: 1,
      calls: before.calls,
      states: before.states,
    });
  },
};

export const activityEndedKey: Check = {
  title: 'never shows a report whose key expired while <Activity> hid it',
  run: async (context) => {
    await openSignedIn(context, '/?view=activity');
    await waitForState(context, 'ready');
    // A slow browser may still draw the end of the key while it hides the report.
    const { states } = await readRecord(context);
    await toggle(context, 'hidden');
    await advanceClock(context, keyLifetimeMs * 1.1);
    await toggle(context, 'visible');
    await waitForState(context, 'ready');
    const after = await readRecord(context);
    expect(after.endedMoments).toBe(0);
    expect(after.states.slice(states.length)[0]).not.toBe('ready');
  },
};

export const activityPrerendered: Check = {
  title: 'calls onLoad once for a report that <Activity> pre-rendered',
  run: async (context) => {
    const { tab } = context;
    await openSignedIn(context, '/?view=prerendered');
    // The frame loads while it is hidden.
    await waitUntil(
      () => tab.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
      (names) => names.some((name) => name.includes('/report/')),
    );
    await toggle(context, 'visible');
    await waitForState(context, 'ready');
    expect((await readRecord(context)).calls).toEqual(['onLoad']);
  },
};
