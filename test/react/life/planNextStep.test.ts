import { expect, it } from 'vitest';
import { planNextStep, type SchedulerState } from '../../../src/react/lib/session/scheduler.ts';

const wanted: SchedulerState = {
  demand: 'usable',
  activeKey: undefined,
  isInDoubt: false,
  isRequesting: false,
  requestedAt: 0,
  isRefreshWanted: true,
  hasReturned: false,
  error: undefined,
  failures: 0,
  jitter: 0,
  isPageHidden: false,
  lastVisibleAt: 0,
};

it.each([
  [0, 1_000],
  [7, 1_000],
  [8, 30_000],
])('repeats a request from the user after %i failures no sooner than after %i ms', (failures, pauseMs) => {
  const state = { ...wanted, failures };
  expect(planNextStep(state, pauseMs - 1)).toEqual({ action: 'wait', at: pauseMs });
  expect(planNextStep(state, pauseMs).action).toBe('request');
});
