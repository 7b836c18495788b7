import { maxKeyLifetimeMs } from '@vitrine/contract';
import { backoffMs, maxBackgroundDelayMs, maxForegroundDelayMs } from './backoff.ts';
import type { EmbedError } from './errors.ts';

/** The times of a key on the page's clock. */
export interface KeyTimes {
  /** When its request was sent. */
  readonly issuedAt: number;
  /** When to request a new key. Random, so that viewers who arrive together do not renew together. */
  readonly refreshAt: number;
  /** When the key expires. */
  readonly expiresAt: number;
}

/** Minimum lifetime for renewal: keys are requested at most every ten seconds. */
const minRenewableMs = 15_000;
const earliestRefresh = 0.7;
const refreshSpread = 0.2;

/** The times of a key that was requested at `issuedAt`. */
export const planKey = (issuedAt: number, keyLifetimeMs: number): KeyTimes => {
  const lifetimeMs = Math.min(Math.max(keyLifetimeMs, minRenewableMs), maxKeyLifetimeMs);
  return {
    issuedAt,
    refreshAt: issuedAt + lifetimeMs * (earliestRefresh + Math.random() * refreshSpread),
    expiresAt: issuedAt + lifetimeMs,
  };
};

/** Inputs for planning the next request. Times are on the page's clock. */
export interface RenewalState {
  /** Whether a report needs a valid key. */
  readonly isInDemand: boolean;
  readonly activeKey: KeyTimes | undefined;
  /** When the last request was sent. */
  readonly requestedAt: number;
  /** Whether a new key was requested explicitly. */
  readonly isRefreshWanted: boolean;
  /** Whether the viewer or the network has come back since the last request ended. */
  readonly hasReturned: boolean;
  /** Why the last request failed; undefined after a success or an explicit request for a new key. */
  readonly error: EmbedError | undefined;
  /** Failures in a row. */
  readonly failures: number;
  /** Random number from 0 to 1, drawn once per failure. */
  readonly jitter: number;
  readonly isPageHidden: boolean;
  /** When the page was last visible. */
  readonly lastVisibleAt: number;
}

const minMsBetweenKeys = 10_000;
/** Minimum interval between retries that a return to the page causes. */
const minMsBetweenReturns = 10_000;
const minMsBetweenAttempts = 1_000;

/** After this many failures, explicit requests also wait: a host may call `refresh()` from `onError`. */
const manyFailures = 7;

const isKeyNeeded = (state: RenewalState, now: number): boolean => {
  const { isInDemand, activeKey, isRefreshWanted, error, lastVisibleAt } = state;
  if (isRefreshWanted || !isInDemand) return isRefreshWanted;
  if (!activeKey) return true;
  // Retry a failed request even if the current key is valid: a new key was requested explicitly. A page that was hidden for the whole lifetime of a key lets it expire, and renews it when visible.
  return (!!error || now >= activeKey.refreshAt) && lastVisibleAt >= activeKey.issuedAt;
};

/** Milliseconds until a failed request is retried automatically: Infinity if a retry cannot help. */
const retryDelayMs = (state: RenewalState, error: EmbedError, now: number): number => {
  if (error.retry !== 'automatic') return Infinity;
  const { activeKey, isPageHidden, failures, jitter } = state;
  const hasUsableKey = activeKey && now < activeKey.expiresAt;
  const capMs = isPageHidden || hasUsableKey ? maxBackgroundDelayMs : maxForegroundDelayMs;
  return Math.max(
    backoffMs(failures, capMs, jitter),
    Math.min(error.retryAfterMs ?? 0, maxBackgroundDelayMs),
  );
};

/** Milliseconds between the last request and the next. */
const pauseMs = (state: RenewalState, now: number): number => {
  const { activeKey, requestedAt, error } = state;
  // The last request succeeded.
  if (activeKey && activeKey.issuedAt >= requestedAt) return minMsBetweenKeys;
  if (state.isRefreshWanted || !error)
    return state.failures > manyFailures ? maxForegroundDelayMs : minMsBetweenAttempts;
  const delayMs = retryDelayMs(state, error, now);
  if (!state.hasReturned) return delayMs;
  // Without a network, no request has reached the backend.
  return Math.min(delayMs, error.code === 'offline' ? minMsBetweenAttempts : minMsBetweenReturns);
};

/** When to request a key, which may be now, and otherwise when to look again. */
export const planRenewal = (state: RenewalState, now: number): { isDue: boolean; at: number } => {
  if (!isKeyNeeded(state, now)) {
    const { refreshAt = Infinity, expiresAt = Infinity } = state.activeKey ?? {};
    return { isDue: false, at: now < refreshAt ? refreshAt : expiresAt };
  }
  const at = state.requestedAt + pauseMs(state, now);
  return { isDue: now >= at, at };
};
