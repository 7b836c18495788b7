import { expect } from 'vitest';
import { renewalDueMs } from '../host/serveEngineHost.ts';
import { advanceClock, type Check, readRecord, readRegions, waitForState, waitUntil } from './check.ts';

/** Enough for both frames to take their turn. */
const renewals = 2;

export const renewal: Check = {
  title: 'renews the report without blanking it and without history entries',
  continues: true, // after signIn
  run: async (context) => {
    const { tab } = context;
    const entries = await tab.evaluate(() => history.length);
    for (let count = 1; count <= renewals; count += 1) {
      await advanceClock(context, renewalDueMs);
      await waitUntil(
        () => readRecord(context),
        ({ calls }) => calls.filter((call) => call === 'swapped').length === count,
      );
      await waitForState(context, 'ready');
      expect(await readRegions(context)).toEqual(['North']);
    }
    expect(await tab.evaluate(() => history.length)).toBe(entries);
    const { keys, blankMoments, endedMoments, calls } = await readRecord(context);
    expect({ keys: keys.length, blankMoments, endedMoments }).toEqual({
      keys: renewals + 1,
      blankMoments: 0,
      endedMoments: 0,
    });
    expect(calls.filter((call) => call.startsWith('onError'))).toEqual([]);
  },
};
