import { EmbedError } from './errors.ts';
import {
  createFrameElement,
  type FrameElement,
  isCredentialless,
  isNetworkDenied,
  keepFocus,
} from './frameElement.ts';
import {
  deriveSnapshot,
  describeSnapshot,
  type FrameEntry,
  type FrameList,
  type FramesEvent,
  reduceFrames,
  shouldPromote,
} from './frames.ts';
import type { EmbedKeyQuery } from './keyQuery.ts';
import type { KeySession } from './keySession.ts';
import { type ActiveKey, type ClockTask, getClock } from './keyTime.ts';
import type { KeyDemand } from './planRenewal.ts';
import { defaultLoadTimeoutMs, type ReportOptions, type ReportSnapshot } from './reportState.ts';

/** The frames of one report, as a store for React. */
export interface ReportStore {
  readonly itemId: number;
  readonly getFrames: () => FrameList;
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => ReportSnapshot;
  /** The snapshot for server rendering and hydration: the frame, visible at once, if its key is known. */
  readonly getServerSnapshot: () => ReportSnapshot;
  /** Sets the options, and the function that re-renders before the paint. */
  readonly configure: (options: ReportOptions, redraw: () => void) => void;
  /** Call it after every commit. */
  readonly onCommit: () => void;
  /** Ref of the root element. */
  readonly root: { (element: HTMLDivElement | null): void; current: HTMLDivElement | null };
  /**
   * Shows the report with a new key, without blanking it. A key is requested at most every ten seconds, and `refresh` waits for
   * that. Resolves when the new frame is visible; rejects with an {@link EmbedError}.
   */
  readonly refresh: () => Promise<void>;
  /** Requests the report again, for a button that disappears with the error: keeps the keyboard focus. */
  readonly retry: () => void;
  /** Reloads the report with the current key, without blanking it. Calls while a frame loads are combined. */
  readonly reload: () => void;
}

/** Fixed properties of a store. */
interface ReportStoreSetup {
  readonly itemId: number;
  /** Prefix of the frames' names: unique on the page, and the same on the server. */
  readonly name: string;
  readonly isEnabled: boolean;
  /** Keeps the key out of the document. */
  readonly isConcealed: boolean;
  /** Waits until the report is near the viewport. */
  readonly isLazy: boolean;
}

/** The reports on the page, with what they have requested. */
export const reports = new Set<ReportStore>();

/** Calls a callback of the host. An error is reported like any uncaught one and never stops a report. */
export const notifyHost = <TFacts extends readonly unknown[]>(
  callback: ((...facts: TFacts) => void) | undefined,
  ...facts: TFacts
): void => {
  try {
    callback?.(...facts);
  } catch (error) {
    reportError(error);
  }
};

/** Calls back once when an element nears the viewport; returns a cancel function. */
const whenNear = (element: Element, onNear: () => void): (() => void) => {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      onNear();
    },
    { rootMargin: '50%' },
  );
  observer.observe(element);
  return () => observer.disconnect();
};

/**
 * Whether the browser restored the page from its session history, or Firefox reloaded it. Firefox then restores former
 * documents into the frames of the page's HTML, whatever their names and URLs.
 */
const isRestoredPage = (): boolean =>
  // Test environments may lack these entries.
  performance.getEntriesByType?.('navigation').some((entry) => {
    // Entries of this type are always of this class.
    const { type } = entry as PerformanceNavigationTiming;
    return type === 'back_forward' || (type === 'reload' && navigator.userAgent.includes('Firefox'));
  });

/** Whether an element has a place on the page. A frame without one lays its report out at a width of 0. */
const hasBox = (element: Element): boolean => {
  const { parentElement } = element;
  if (parentElement && getComputedStyle(element).display === 'contents') return hasBox(parentElement);
  // A test environment has no layout at all.
  return element.getClientRects().length > 0 || document.documentElement.getClientRects().length === 0;
};

/** Shortest interval of reloads by time. */
const minReloadMs = 10_000;

interface RefreshWaiter {
  readonly oldKey: ActiveKey | undefined;
  readonly resolve: () => void;
  readonly reject: (error: EmbedError) => void;
}

/** Creates the store of one report. It is inactive until it has an element or a subscriber. */
export const createReportStore = (
  session: KeySession,
  query: EmbedKeyQuery,
  { itemId, name, isEnabled, isConcealed, isLazy }: ReportStoreSetup,
): ReportStore => {
  const clock = getClock();
  const listeners = new Set<() => void>();
  let options: ReportOptions = {};
  let redraw: (() => void) | undefined;
  let frames: FrameList = [];
  let frameCount = 0;
  let isIdle = !isEnabled || isLazy;
  let isRefreshWanted = false;
  let isReloadWanted = false;
  /** When the browser restored the page from its back/forward cache: the report is covered until a newer key allows it. */
  let restoredAt = -Infinity;
  let frameToFocus: FrameElement | undefined;
  let waiters: readonly RefreshWaiter[] = [];
  let notifiedFrames: FrameList = [];
  /** The last key that `onRefreshDue` was called for. */
  let dueKey: ActiveKey | undefined;
  /** Stops the store; undefined while the report is not on the page. */
  let stop: (() => void) | undefined;
  /** Whether the report has requested its key. */
  const isActive = () => stop && !isIdle;

  const isSeamless = () => (options.refreshPolicy ?? 'seamless') === 'seamless';
  const loadTimeoutMs = () => options.loadTimeoutMs ?? defaultLoadTimeoutMs;
  const isInDoubt = (key: ActiveKey) => key.issuedAt < clock.reliableSince();
  const isDue = (key: ActiveKey, now: number) => now >= key.refreshAt || isInDoubt(key);

  const dispatch = (event: FramesEvent) => {
    frames = reduceFrames(frames, event);
  };
  const changeStatus = (id: string, status: FrameEntry['status'], blockedOrigin?: string) => {
    dispatch({ type: 'changed', id, status, blockedOrigin });
    clock.scheduleCheck();
  };

  const open = (key: ActiveKey, isUrgent: boolean) => {
    frameCount += 1;
    // Unique in the session history, and the same in a server's HTML and its hydration.
    const id = `${name}-${key.requestedAt}-${frameCount}`;
    const onStatus = (status: FrameEntry['status']) => {
      changeStatus(id, status);
      if (status === 'loaded')
        void isNetworkDenied(key.src).then((isDenied) => isDenied && changeStatus(id, 'denied'));
    };
    const element = createFrameElement({ id, src: key.src, isConcealed, onStatus });
    const frame = { id, key, element, openedAt: clock.now(), isUrgent, status: 'loading' } as const;
    dispatch({ type: 'opened', frame });
  };

  const reloadAt = ({ openedAt }: FrameEntry) =>
    openedAt + Math.max(options.reloadIntervalMs ?? Infinity, minReloadMs);

  const canOpen = () => !root.current || (root.current.isConnected && hasBox(root.current));

  /** Follows the session: a frame for its key, and none after a refusal. */
  const followSession = (now: number) => {
    const { activeKey, isRefused } = session.getSnapshot();
    if (isRefused) dispatch({ type: 'removed' });
    const newest = frames.at(-1);
    if (!activeKey || activeKey === newest?.key || now >= activeKey.expiresAt) return;
    // A key that only proves access waits until the frame needs it.
    const isWanted = !newest || isRefreshWanted || (isSeamless() && isDue(newest.key, now));
    if (!isWanted || !canOpen()) return;
    open(activeKey, isRefreshWanted);
    isRefreshWanted = false;
  };

  const promoteStandby = (now: number) => {
    const [current, standby] = frames;
    if (!shouldPromote(frames, now, !!current?.element.isInUse())) return;
    dispatch({ type: 'promoted' });
    if (current?.element.hasFocus()) frameToFocus = standby?.element;
  };

  /** A frame that is loading may miss the new data, so it is loaded again afterward. */
  const reloadLater = (now: number) => {
    const [current, standby] = frames;
    if (current?.status !== 'loaded' || standby || !canOpen()) return;
    const isDueAgain = now >= reloadAt(current) && !document.hidden && navigator.onLine !== false;
    if (!isReloadWanted && (!isDueAgain || current.element.isInUse())) return;
    open(current.key, isReloadWanted);
    isReloadWanted = false;
  };

  const derive = (now: number): ReportSnapshot => {
    const keyState = session.getSnapshot();
    return deriveSnapshot({
      now,
      frames,
      session: keyState,
      isIdle,
      isRenewing: isSeamless() || isRefreshWanted,
      isCovered: (keyState.activeKey?.issuedAt ?? Infinity) < restoredAt,
      loadTimeoutMs: loadTimeoutMs(),
    });
  };

  const isOnPage = () => (root.current ? root.current.isConnected : listeners.size > 0);

  const findDemand = (): KeyDemand => {
    if (!isOnPage()) return 'none';
    if (isSeamless()) return 'renewed';
    return !frames.length || isRefreshWanted ? 'usable' : 'none';
  };

  /** Updates frames and state; returns whether anything visible has changed. */
  const update = (now: number): boolean => {
    followSession(now);
    promoteStandby(now);
    reloadLater(now);
    const next = derive(now);
    if (describeSnapshot(next) === describeSnapshot(snapshot)) return false;
    snapshot = next;
    for (const listener of listeners) listener();
    return true;
  };

  const abortWaiters = () => {
    for (const { reject } of waiters) reject(new EmbedError('refresh_aborted'));
    waiters = [];
  };

  const settleWaiters = () => {
    const { error, isRefreshWanted: isPending } = session.getSnapshot();
    waiters = waiters.filter(({ oldKey, resolve, reject }) => {
      if (frames[0]?.key !== oldKey && snapshot.frames[0]?.isVisible) return resolve();
      const isOpen = frames.at(-1)?.key !== oldKey;
      // An earlier request may fail before the requested one is sent.
      const failure = isOpen ? snapshot.state.error : !isPending && error;
      return failure ? reject(failure) : true;
    });
  };

  const notifyOfFrames = (now: number) => {
    for (const frame of frames)
      if (frame.status === 'loaded' && !notifiedFrames.includes(frame))
        notifyHost(options.onLoad, { keyMs: frame.key.requestMs, frameMs: now - frame.openedAt });
    notifiedFrames = frames;
    const key = frames.at(-1)?.key;
    if (options.refreshPolicy !== 'manual' || !key || dueKey === key || !isDue(key, now)) return;
    dueKey = key;
    notifyHost(options.onRefreshDue, { expiresInMs: key.expiresAt - now, refresh });
  };

  const check: ClockTask = (now) => {
    for (const { element } of frames) element.checkFocus();
    update(now);
    settleWaiters();
    notifyOfFrames(now);
    return frames.flatMap((frame) => {
      const { key, openedAt } = frame;
      return [openedAt + loadTimeoutMs(), reloadAt(frame), key.refreshAt, key.expiresAt];
    });
  };

  const onBlocked = (event: Event) => {
    // The event type guarantees this class.
    const { effectiveDirective, disposition, blockedURI } = event as SecurityPolicyViolationEvent;
    if (effectiveDirective !== 'frame-src' || disposition !== 'enforce') return;
    // Browsers report only the origin, or the whole URL if it is same-origin.
    const isAffected = ({ key }: FrameEntry) => `${blockedURI}/`.startsWith(`${new URL(key.src).origin}/`);
    for (const frame of frames) if (isAffected(frame)) changeStatus(frame.id, 'blocked');
    // A report that redirects, for example to a sign-in page: only if no other frame can be meant.
    const loading = [...reports].flatMap((report) =>
      report.getFrames().filter(({ status }) => status !== 'loaded'),
    );
    const [only] = loading;
    if (loading.length !== 1 || !only || isAffected(only) || !frames.includes(only)) return;
    changeStatus(only.id, 'blocked', blockedURI);
  };

  const onRestored = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    restoredAt = clock.now();
    session.refresh();
  };

  const start = () => {
    isIdle = false;
    reports.add(store);
    addEventListener('securitypolicyviolation', onBlocked, true);
    addEventListener('pageshow', onRestored, true);
    const ends = [
      session.acquire({ query, findDemand, retainedKey: frames.at(-1)?.key }),
      clock.subscribe(check),
      () => removeEventListener('securitypolicyviolation', onBlocked, true),
      () => removeEventListener('pageshow', onRestored, true),
    ];
    if (root.current && typeof ResizeObserver !== 'undefined') {
      // The root gets a box, or loses it.
      const observer = new ResizeObserver(clock.scheduleCheck);
      observer.observe(root.current);
      ends.push(() => observer.disconnect());
    }
    if (serverSnapshot) {
      // A frame from a server's HTML may contain another document, or none.
      if (isCredentialless() || isRestoredPage()) dispatch({ type: 'removed' });
      // It may have loaded before hydration.
      else frames[0]?.element.props.onLoad();
    }
    serverSnapshot = undefined;
    stop = () => {
      reports.delete(store);
      for (const end of ends) end();
    };
  };

  /** Starts when React attaches the element, before it paints the page; subscribers follow later. */
  const activate = () => {
    if (stop || !isEnabled) return;
    if (isIdle && root.current) stop = whenNear(root.current, start);
    else start();
  };

  const deactivateLater = () => {
    // StrictMode unmounts and remounts everything in the same job.
    queueMicrotask(() => {
      if (!stop || root.current || listeners.size > 0) return;
      stop();
      stop = undefined;
      abortWaiters();
    });
  };

  const root: ReportStore['root'] = Object.assign(
    (element: HTMLDivElement | null) => {
      root.current = element;
      if (!element) return deactivateLater();
      activate();
      // A report that <Activity> shows again may have expired: draw that before the paint.
      if (isActive() && update(clock.now())) redraw?.();
    },
    { current: null },
  );

  const refresh = (): Promise<void> => {
    const oldKey = frames.at(-1)?.key;
    const refreshed = new Promise<void>((resolve, reject) => {
      waiters = [...waiters, { oldKey, resolve, reject }];
    });
    // Unhandled rejections are not reported: `onError` also informs the host.
    refreshed.catch(() => {});
    if (!isActive()) abortWaiters();
    else {
      const { activeKey } = session.getSnapshot();
      const hasNewKey = oldKey && activeKey && activeKey !== oldKey && !isDue(activeKey, clock.now());
      isRefreshWanted = true;
      if (!hasNewKey) session.refresh();
      clock.scheduleCheck();
    }
    return refreshed;
  };

  const initialKey = isIdle ? undefined : session.peek();
  if (initialKey && clock.now() < initialKey.expiresAt) open(initialKey, false);
  let snapshot = derive(clock.now());
  let serverSnapshot: ReportSnapshot | undefined;

  const store: ReportStore = {
    itemId,
    getFrames: () => frames,
    subscribe: (listener) => {
      listeners.add(listener);
      activate();
      return () => {
        listeners.delete(listener);
        deactivateLater();
      };
    },
    getSnapshot: () => snapshot,
    getServerSnapshot: () => {
      if (serverSnapshot) return serverSnapshot;
      // The clocks of server and viewer may differ, so the HTML contains the frame whatever the key's age.
      if (initialKey && !frames.length) open(initialKey, false);
      const [frame] = frames;
      if (frame) {
        const { credentialless: _, ...props } = frame.element.props;
        snapshot = { state: { status: 'ready' }, frames: [{ id: frame.id, isVisible: true, props }] };
      }
      return (serverSnapshot = snapshot);
    },
    configure: (next, draw) => {
      options = next;
      redraw = draw;
      if (isActive()) clock.scheduleCheck();
    },
    onCommit: () => {
      if (!snapshot.frames[0]?.isVisible) return;
      frameToFocus?.focus();
      frameToFocus = undefined;
    },
    root,
    refresh,
    retry: () => {
      keepFocus(root.current);
      void refresh();
    },
    reload: () => {
      isReloadWanted = frames.length > 0;
      clock.scheduleCheck();
    },
  };
  return store;
};
