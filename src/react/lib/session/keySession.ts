import { EmbedError } from '../errors/embedError.ts';
import type { EmbedKeyQuery } from '../keys/embedKeyQuery.ts';
import { isCachedKey } from '../keys/isCachedKey.ts';
import type { KeyCache } from '../keys/keyCache.ts';
import { type ActiveKey, activateKey } from './activeKey.ts';
import { type Clock, type ClockTask, getClock } from './clock.ts';
import type { Environment } from './environment.ts';
import { type KeyDemand, planNextStep } from './scheduler.ts';

/** What a session knows. */
export type KeySnapshot = {
  /** Whether a new key has been asked for that no request is in flight for yet. */
  readonly isRefreshWanted: boolean;
} /** No report uses the session. */ & (
  | { readonly status: 'idle'; readonly activeKey?: never; readonly error?: never }
  /** There is no key yet. */
  | { readonly status: 'pending'; readonly activeKey?: never; readonly error?: EmbedError | undefined }
  /** There is a key, which may have expired. `error` says why it could not be renewed. */
  | { readonly status: 'active'; readonly activeKey: ActiveKey; readonly error?: EmbedError | undefined }
  /** This viewer may not see the report, not even with a key that still works. */
  | { readonly status: 'refused'; readonly activeKey?: never; readonly error: EmbedError }
);

/** A report's hold on a session. */
export interface KeyLease {
  /** How to ask for a key. The session asks by the newest lease, whose callbacks are those of a mounted provider. */
  readonly query: EmbedKeyQuery;
  /** Says what the report needs at present. */
  readonly findDemand: () => KeyDemand;
  /** The key of a frame that the report kept while it was hidden. */
  readonly retainedKey: ActiveKey | undefined;
}

/** Keeps one key for every report on the page that shows the same item through the same endpoint. */
export interface KeySession {
  readonly environment: Environment;
  readonly clock: Clock;
  /** Runs a task after each check of an acquired session; returns an unsubscribe function. */
  readonly subscribe: (task: ClockTask) => () => void;
  readonly getSnapshot: () => KeySnapshot;
  /** Has a key kept until the returned function is called. Without any lease, the session forgets its key. */
  readonly acquire: (lease: KeyLease) => () => void;
  /** The key that a report would start with, without asking for one. */
  readonly peek: () => ActiveKey | undefined;
  /** Asks for a new key, whatever the last answer was. */
  readonly refresh: () => void;
}

/** Whether the backend has decided that this viewer may not see the report. */
const isFinal = ({ retry }: EmbedError) => retry === 'person';

/** Whoever comes back after so long may be somebody else, or may have lost the right to see the report. */
const longAbsenceMs = 5 * 60_000;

/** Creates a {@link KeySession}. Nothing happens until it is acquired. */
export const createKeySession = (cache: KeyCache, environment: Environment = globalThis): KeySession => {
  const clock = getClock(environment);
  const leases = new Set<KeyLease>();
  let stopChecks: (() => void) | undefined;

  let activeKey: ActiveKey | undefined;
  /** The request in flight. Answers to earlier ones come too late. */
  let request: Promise<unknown> | undefined;
  let requestedAt = -Infinity;
  let isRefreshWanted = false;
  let error: EmbedError | undefined;
  let failures = 0;
  let jitter = 0;
  let lastVisibleAt = 0;
  /** Whether the viewer or the network has come back since the last request. */
  let hasReturned = false;

  const isInDoubt = () => !!activeKey && activeKey.issuedAt < clock.reliableSince();

  const readCache = () => {
    const cached = cache.read();
    return isCachedKey(cached) ? activateKey(cached, environment) : undefined;
  };

  const adopt = (key: ActiveKey) => {
    activeKey = key;
    error = undefined;
    failures = 0;
    isRefreshWanted = false;
  };

  /** Takes what a loader, prefetching or hydration put into the cache, unless the key at hand is good: its report is open. */
  const adoptCachedKey = (now: number) => {
    const candidate = readCache();
    const isGood = activeKey && now < activeKey.refreshAt && !isInDoubt();
    if (!candidate || isGood || now >= candidate.expiresAt) return;
    if (!activeKey || candidate.issuedAt > activeKey.issuedAt) adopt(candidate);
  };

  const fail = (failure: EmbedError) => {
    error = failure;
    failures += 1;
    jitter = environment.Math.random();
    if (isFinal(failure)) {
      activeKey = undefined;
      cache.remove();
    }
  };

  const send = (now: number) => {
    const newest = [...leases].at(-1);
    if (!newest) return;
    requestedAt = now;
    // Whoever asks from here on wants more than what this request brings, should it fail.
    isRefreshWanted = hasReturned = false;
    const mine = cache.fetch(newest.query);
    request = mine;
    const settle = (finish: () => void) => {
      if (mine !== request) return;
      request = undefined;
      finish();
      clock.scheduleCheck();
    };
    mine.then(
      (key) => settle(() => adopt(activateKey(key, environment))),
      (cause: unknown) =>
        settle(() => {
          // Any other: the host emptied or cancelled its cache. Nothing has failed, and the key is asked for again.
          if (cause instanceof EmbedError) fail(cause);
        }),
    );
  };

  const giveUp = () => {
    request = undefined;
    cache.remove();
    fail(new EmbedError('backend_timeout'));
    clock.scheduleCheck();
  };

  const findDemand = (): KeyDemand => {
    const demands = [...leases].map((lease) => lease.findDemand());
    return (['renewed', 'usable'] as const).find((demand) => demands.includes(demand)) ?? 'none';
  };

  const wantRefresh = () => {
    isRefreshWanted = true;
    error = undefined;
  };

  const noticePresence = (now: number, demand: KeyDemand) => {
    if (environment.document.hidden) return;
    if (now - lastVisibleAt > longAbsenceMs && activeKey && demand === 'renewed') wantRefresh();
    lastVisibleAt = now;
  };

  const check: ClockTask = (now, isWake) => {
    const demand = findDemand();
    hasReturned ||= isWake && !request;
    noticePresence(now, demand);
    adoptCachedKey(now);
    const { action, at } = planNextStep(
      {
        demand,
        activeKey,
        isInDoubt: isInDoubt(),
        isRequesting: !!request,
        requestedAt,
        isRefreshWanted,
        hasReturned,
        error,
        failures,
        jitter,
        isPageHidden: environment.document.hidden,
        lastVisibleAt,
      },
      now,
    );
    if (action === 'time out') giveUp();
    if (action === 'request') send(now);
    return [at];
  };

  const stop = () => {
    stopChecks?.();
    stopChecks = undefined;
    // A key that was shown is not used again, and a request without waiting callers is aborted.
    cache.remove();
    request = activeKey = error = undefined;
    isRefreshWanted = false;
  };

  return {
    environment,
    clock,
    subscribe: clock.subscribe,
    getSnapshot: () => {
      if (!leases.size) return { status: 'idle', isRefreshWanted };
      if (activeKey) return { status: 'active', activeKey, error, isRefreshWanted };
      if (error && isFinal(error)) return { status: 'refused', error, isRefreshWanted };
      return { status: 'pending', error, isRefreshWanted };
    },
    peek: () => activeKey ?? readCache(),
    acquire: (lease) => {
      leases.add(lease);
      if (!stopChecks) {
        activeKey = lease.retainedKey;
        lastVisibleAt = clock.now();
        stopChecks = clock.subscribe(check);
      }
      clock.scheduleCheck();
      return () => {
        leases.delete(lease);
        // StrictMode and a move within the page release a lease and acquire another in the same job.
        queueMicrotask(() => {
          if (!leases.size) stop();
        });
      };
    },
    refresh: () => {
      wantRefresh();
      clock.scheduleCheck();
    },
  };
};
