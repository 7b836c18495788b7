import { EmbedError } from '../errors/embedError.ts';
import type { EmbedKeyQuery } from '../keys/embedKeyQuery.ts';
import { isCachedKey } from '../keys/isCachedKey.ts';
import type { KeyCache } from '../keys/keyCache.ts';
import { type ActiveKey, activateKey } from './activeKey.ts';
import { type Clock, type ClockTask, getClock } from './clock.ts';
import type { Environment } from './environment.ts';
import { type KeyDemand, planNextStep } from './planNextStep.ts';

/** The state of a session. */
export type KeySnapshot = {
  /** Whether a new key is wanted but its request is not yet sent. */
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

/** A report's lease on a session. */
export interface KeyLease {
  /** The key query. The session uses that of the newest lease, whose provider is mounted. */
  readonly query: EmbedKeyQuery;
  /** Returns what the report currently needs. */
  readonly findDemand: () => KeyDemand;
  /** The key of a frame that the report kept while it was hidden. */
  readonly retainedKey: ActiveKey | undefined;
}

/** Manages one key for all reports on the page with the same item and endpoint. */
export interface KeySession {
  readonly environment: Environment;
  readonly clock: Clock;
  /** Runs a task after each check of an acquired session; returns an unsubscribe function. */
  readonly subscribe: (task: ClockTask) => () => void;
  readonly getSnapshot: () => KeySnapshot;
  /** Keeps the key until the returned function is called. Without leases, the session forgets its key. */
  readonly acquire: (lease: KeyLease) => () => void;
  /** The key that a report would start with, without a request. */
  readonly peek: () => ActiveKey | undefined;
  /** Requests a new key, whatever the last response was. */
  readonly refresh: () => void;
}

/** Whether the backend has decided that this viewer may not see the report. */
const isFinal = ({ retry }: EmbedError) => retry === 'manual';

/** After this absence, the viewer may be another person, or may have lost access to the report. */
const longAbsenceMs = 5 * 60_000;

/** Creates a {@link KeySession}. It is inactive until it is acquired. */
export const createKeySession = (cache: KeyCache, environment: Environment = globalThis): KeySession => {
  const clock = getClock(environment);
  const leases = new Set<KeyLease>();
  let stopChecks: (() => void) | undefined;

  let activeKey: ActiveKey | undefined;
  /** The in-flight request. Responses to earlier ones are ignored. */
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

  /**
   * Adopts a key that a loader, prefetching or hydration cached, unless the current key is valid: its report is open.
   */
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
    // A later call of refresh() must cause another request if this one fails.
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
          // Any other: the host emptied or canceled its cache. That is not a failure; the key is requested again.
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
    // Do not reuse a shown key, and abort a request without callers.
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
