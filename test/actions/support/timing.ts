import { onTestFinished } from 'vitest';
import { timing } from '../../../src/server/lib/actions/timing.ts';

/** Durations and limits that a test changes. */
export type Timing = Partial<typeof timing>;

/** Changes durations and limits until the end of the test. */
export const setTiming = (changes: Timing): void => {
  const before = { ...timing };
  Object.assign(timing, changes);
  onTestFinished(() => void Object.assign(timing, before));
};
