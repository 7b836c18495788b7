import type { QueryClient } from '@tanstack/react-query';
import { development, EmbedError, isRefusal } from './errors.ts';
import type { EmbedKeyQuery } from './keyOptions.ts';
import { isCachedKey } from './keyQuery.ts';
import type { ActiveKey, CachedKey, ClockTask } from './keyTime.ts';
import { clock, type KeyLease, type KeySession, sessions } from './page.ts';
import { planRenewal } from './planRenewal.ts';

/** After this absence, the viewer may be another person, or may have lost access to the report. */
const longAbsenceMs = 5 * 60_000;

/** Creates a {@link KeySession}: React Query owns the request, the page's clock owns its time. */
const createKeySession = (client: QueryClient, { queryKey }: EmbedKeyQuery): KeySession => {
  const cache = client.getQueryCache();
  // A search by query key would use the host's hash function. This is the hash by React Query's own.
  const findEntry = () => cache.get<CachedKey>(JSON.stringify(queryKey));
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
  /** Whether a viewer waits for the next request: a report is new on the page, or was refreshed. */
  let isByViewer = true;
  /** Whether the viewer or the network has come back since the last request. */
  let hasReturned = false;

  const readCache = () => {
    const cached: Partial<CachedKey> | undefined = findEntry()?.state.data;
    return isCachedKey(cached) ? clock.activate(cached) : undefined;
  };

  const forgetKey = () => {
    activeKey = undefined;
    const entry = findEntry();
    if (entry) cache.remove(entry);
  };

  const adopt = (key: ActiveKey) => {
    activeKey = key;
    error = undefined;
    failures = 0;
    isRefreshWanted = isByViewer = false;
  };

  /**
   * Adopts a key that a loader, prefetching or hydration cached, unless the current key is valid: its report is open.
   */
  const adoptCachedKey = (now: number) => {
    const candidate = readCache();
    const isGood = activeKey && now < activeKey.refreshAt;
    if (!candidate || isGood || now >= candidate.expiresAt) return;
    if (!activeKey || candidate.issuedAt > activeKey.issuedAt) adopt(candidate);
  };

  const send = (now: number) => {
    const newest = [...leases].at(-1);
    if (!newest) return;
    requestedAt = now;
    // A later call of refresh() must cause another request if this one fails.
    isRefreshWanted = hasReturned = false;
    // React Query uses the wall clock, which may have been set back. It always fetches an invalidated query.
    findEntry()?.invalidate();
    const meta = { ...newest.query.meta, isAutomatic: !isByViewer };
    const mine = client.fetchQuery({ ...newest.query, meta, gcTime: Infinity });
    request = mine;
    isByViewer = false;
    const settle = (key?: CachedKey, cause?: unknown) => {
      if (mine !== request) return;
      request = undefined;
      const next = key && clock.activate(key);
      if (next && next.src === activeKey?.src) development.warn?.('same_key');
      if (next) adopt(next);
      // Any other: the host emptied or canceled its cache. That is not a failure; the key is requested again.
      if (cause instanceof EmbedError) {
        error = cause;
        failures += 1;
        jitter = Math.random();
        if (isRefusal(cause)) forgetKey();
      }
      clock.scheduleCheck();
    };
    mine.then(settle, (cause: unknown) => settle(undefined, cause));
  };

  const wantRefresh = () => {
    isRefreshWanted = true;
    error = undefined;
  };

  const refresh = () => {
    wantRefresh();
    isByViewer = true;
    clock.scheduleCheck();
  };

  const check: ClockTask = (now, isWake, isStored) => {
    // Before the page is stored: its first picture afterwards is the one that it was stored with.
    if (isStored) {
      forgetKey();
      request = undefined;
      refresh();
    }
    const isInDemand = [...leases].some((lease) => lease.isInDemand());
    const isHidden = clock.isPageHidden();
    hasReturned ||= isWake && !request;
    if (!isHidden) {
      if (now - lastVisibleAt > longAbsenceMs && activeKey && isInDemand) wantRefresh();
      lastVisibleAt = now;
    }
    adoptCachedKey(now);
    if (request || clock.isPageStopped()) return [];
    const facts = { activeKey, requestedAt, isRefreshWanted, hasReturned, error, failures, jitter };
    const state = { ...facts, isInDemand, isPageHidden: isHidden, lastVisibleAt };
    const { isDue, at } = planRenewal(state, now);
    if (isDue) send(now);
    return [at];
  };

  const stop = () => {
    stopChecks?.();
    stopChecks = undefined;
    // Do not reuse a shown key, and abort a request without callers.
    forgetKey();
    request = error = undefined;
    isRefreshWanted = false;
  };

  return {
    getSnapshot: () => ({ activeKey, error }),
    isInUse: () => leases.size > 0,
    peek: () => activeKey ?? readCache(),
    acquire: (lease) => {
      leases.add(lease);
      development.onLease?.(leases);
      if (!stopChecks) {
        activeKey = lease.retainedKey;
        lastVisibleAt = clock.now();
        isByViewer = !activeKey || lastVisibleAt >= activeKey.refreshAt;
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
    refresh,
  };
};

/** Returns the shared session of a key in a query client. */
export const getKeySession = (client: QueryClient, query: EmbedKeyQuery): KeySession => {
  const ofClient = sessions.get(client) ?? new Map<string, KeySession>();
  sessions.set(client, ofClient);
  const id = JSON.stringify(query.queryKey);
  const session = ofClient.get(id) ?? createKeySession(client, query);
  ofClient.set(id, session);
  return session;
};

/** Requests again what has failed: the keys of reports, and lists of reports, whose errors are data. */
export const retryAll = (client: QueryClient): void => {
  for (const session of sessions.get(client)?.values() ?? [])
    if (session.getSnapshot().error) session.refresh();
  void client.resetQueries({ predicate: ({ state }) => state.data instanceof EmbedError });
};
