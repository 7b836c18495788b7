import { EmbedError } from '@vitrine/react';
import { expect, it } from 'vitest';
import { planRenewal, type RenewalState } from '../../src/react/lib/planRenewal.ts';

const wanted: RenewalState = {
  isInDemand: true,
  activeKey: undefined,
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
  expect(planRenewal(state, pauseMs - 1)).toEqual({ isDue: false, at: pauseMs });
  expect(planRenewal(state, pauseMs).isDue).toBe(true);
});

const activeKey = {
  src: 'https://acme.example',
  requestedAt: 0,
  issuedAt: 1_000,
  refreshAt: 60_000,
  expiresAt: 100_000,
};
const quiet: RenewalState = { ...wanted, isRefreshWanted: false, activeKey, lastVisibleAt: 1_000 };

it('renews a key that a report needs when it is due', () => {
  expect(planRenewal(quiet, 59_999)).toEqual({ isDue: false, at: 60_000 });
  expect(planRenewal({ ...quiet, isInDemand: false }, 60_000).isDue).toBe(false);
  expect(planRenewal(quiet, 60_000).isDue).toBe(true);
});

it('wakes up when a key is due and when it expires, and not without a key', () => {
  const nobody: RenewalState = { ...quiet, isInDemand: false };
  expect(planRenewal(nobody, 59_999)).toEqual({ isDue: false, at: 60_000 });
  expect(planRenewal(nobody, 60_000)).toEqual({ isDue: false, at: 100_000 });
  expect(planRenewal({ ...nobody, activeKey: undefined }, 0)).toEqual({ isDue: false, at: Infinity });
});

it('repeats a failed request every few seconds for a viewer who sees no report, and less often otherwise', () => {
  const error = new EmbedError('portal_timeout');
  const failed: RenewalState = {
    ...quiet,
    activeKey: undefined,
    requestedAt: 200_000,
    error,
    failures: 20,
    jitter: 1,
  };
  const pauseOf = (more: Partial<RenewalState>) =>
    planRenewal({ ...failed, ...more }, 200_000).at - failed.requestedAt;
  const shown = {
    activeKey: { ...activeKey, refreshAt: 150_000, expiresAt: 300_000 },
    lastVisibleAt: 200_000,
  };
  expect(pauseOf({})).toBe(30_000);
  expect(pauseOf({ isPageHidden: true })).toBe(300_000);
  expect(pauseOf(shown)).toBe(300_000);
  expect(pauseOf({ activeKey, lastVisibleAt: 200_000 })).toBe(30_000);
  const endsNow = { ...activeKey, expiresAt: 200_000 };
  expect(pauseOf({ activeKey: endsNow, lastVisibleAt: 200_000 })).toBe(30_000);
  // The viewer comes back, or the network does.
  expect(pauseOf({ hasReturned: true })).toBe(10_000);
  const offline = new EmbedError('offline');
  expect(pauseOf({ hasReturned: true, error: offline })).toBe(1_000);
});

it('waits ten seconds from one key to the next', () => {
  // The last request, at the time of the key, got it.
  const again: RenewalState = { ...quiet, isRefreshWanted: true, requestedAt: activeKey.issuedAt };
  expect(planRenewal(again, 10_999)).toEqual({ isDue: false, at: 11_000 });
  expect(planRenewal(again, 11_000).isDue).toBe(true);
});
