import type { EmbedError } from '../errors/embedError.ts';
import type { ActiveKey } from './activeKey.ts';
import { maxForegroundDelayMs, retryDelayMs } from './retryDelayMs.ts';

/**
 * What the reports of a session need. `none`: no key. `usable`: a valid key. `renewed`: a key that is replaced before
 * it expires.
 */
export type KeyDemand = 'none' | 'usable' | 'renewed';

/** Inputs for planning the next request. Times are on the page's clock. */
export interface SchedulerState {
  readonly demand: KeyDemand;
  readonly activeKey: ActiveKey | undefined;
  /** Whether it is uncertain how old the key is. */
  readonly isInDoubt: boolean;
  /** Whether a request is in flight. */
  readonly isRequesting: boolean;
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

/** What to do now, and when to check again at the latest. */
export interface NextStep {
  readonly action: 'wait' | 'request' | 'time out';
  readonly at: number;
}

const requestTimeoutMs = 10_000;
const minMsBetweenKeys = 10_000;
/** Minimum interval between retries that a return to the page causes. */
const minMsBetweenReturns = 10_000;
const minMsBetweenAttempts = 1_000;

/** After this many failures, explicit requests also wait: a host may call `refresh()` from `onError`. */
const manyFailures = 7;

const isKeyNeeded = (state: SchedulerState, now: number): boolean => {
  const { demand, activeKey, isInDoubt, isRefreshWanted, error, lastVisibleAt } = state;
  if (isRefreshWanted) return true;
  if (demand === 'none') return false;
  if (!activeKey) return true;
  // Retry a failed request even if the current key is valid: a new key was requested explicitly.
  const isWanted = isInDoubt || !!error;
  if (demand === 'usable') return isWanted || now >= activeKey.expiresAt;
  // A page that was hidden for the whole lifetime of a key lets it expire, and renews it when visible.
  return (isWanted || now >= activeKey.refreshAt) && lastVisibleAt >= activeKey.issuedAt;
};

/** Milliseconds between the last request and the next. */
const pauseMs = (state: SchedulerState, now: number): number => {
  const { activeKey, requestedAt, error } = state;
  // The last request succeeded.
  if (activeKey && activeKey.issuedAt >= requestedAt) return minMsBetweenKeys;
  if (state.isRefreshWanted || !error)
    return state.failures > manyFailures ? maxForegroundDelayMs : minMsBetweenAttempts;
  const hasUsableKey = activeKey && now < activeKey.expiresAt && !state.isInDoubt;
  const delayMs = retryDelayMs(error, state, !state.isPageHidden && !hasUsableKey);
  if (!state.hasReturned) return delayMs;
  // Without a network, no request has reached the backend.
  return Math.min(delayMs, error.code === 'offline' ? minMsBetweenAttempts : minMsBetweenReturns);
};

/** Decides what a session does next. */
export const planNextStep = (state: SchedulerState, now: number): NextStep => {
  if (state.isRequesting) {
    const timeoutAt = state.requestedAt + requestTimeoutMs;
    return { action: now < timeoutAt ? 'wait' : 'time out', at: timeoutAt };
  }
  if (!isKeyNeeded(state, now)) {
    const { refreshAt = Infinity, expiresAt = Infinity } = state.activeKey ?? {};
    return { action: 'wait', at: now < refreshAt ? refreshAt : expiresAt };
  }
  const at = state.requestedAt + pauseMs(state, now);
  return now < at ? { action: 'wait', at } : { action: 'request', at: now + requestTimeoutMs };
};
