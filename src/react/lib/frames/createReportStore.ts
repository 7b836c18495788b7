import { inspectedReports } from '../inspectors.ts';
import type { EmbedKeyQuery } from '../keys/embedKeyQuery.ts';
import type { ActiveKey } from '../session/activeKey.ts';
import type { ClockTask } from '../session/clock.ts';
import type { KeySession } from '../session/keySession.ts';
import type { KeyDemand } from '../session/planNextStep.ts';
import { createFrameNotifier } from './createFrameNotifier.ts';
import { deriveSnapshot } from './deriveSnapshot.ts';
import { createFrameElement, type FrameElement, isCredentialless } from './frameElement.ts';
import type { FrameList, FrameStatus } from './frameEntry.ts';
import { isRestoredPage } from './isRestoredPage.ts';
import { keepFocus } from './keepFocus.ts';
import { listenToBlockedFrames } from './listenToBlockedFrames.ts';
import { positionRoot } from './positionRoot.ts';
import { type FramesEvent, reduceFrames } from './reduceFrames.ts';
import { createRefreshWaiters } from './refreshWaiters.ts';
import { defaultLoadTimeoutMs, type ReportOptions } from './reportOptions.ts';
import { describeSnapshot, type ReportSnapshot } from './reportState.ts';
import type { ReportStore, ReportStoreSetup } from './reportStore.ts';
import { shouldPromote } from './shouldPromote.ts';
import { whenNear } from './whenNear.ts';

/** Creates the store of one report. It is inactive until it has an element or a subscriber. */
export const createReportStore = (
  session: KeySession,
  query: EmbedKeyQuery,
  setup: ReportStoreSetup,
): ReportStore => {
  const { environment, clock } = session;
  const { itemId, name, isEnabled, isConcealed, isLazy } = setup;
  const listeners = new Set<() => void>();
  let options: ReportOptions = {};
  let redraw: (() => void) | undefined;
  let frames: FrameList = [];
  let frameCount = 0;
  let isIdle = !isEnabled || isLazy;
  let isRefreshWanted = false;
  let isReloadWanted = false;
  let frameToFocus: FrameElement | undefined;
  /** Stops the store; undefined while the report is not on the page. */
  let stop: (() => void) | undefined;
  /** Whether the report has requested its key. */
  const isActive = () => stop && !isIdle;
  const waiters = createRefreshWaiters();
  const notifyOfFrames = createFrameNotifier();

  const isSeamless = () => (options.refreshPolicy ?? 'seamless') === 'seamless';
  const loadTimeoutMs = () => options.loadTimeoutMs ?? defaultLoadTimeoutMs;

  const dispatch = (event: FramesEvent) => {
    frames = reduceFrames(frames, event);
  };
  const changeStatus = (id: string, status: FrameStatus) => {
    dispatch({ type: 'changed', id, status });
    clock.scheduleCheck();
  };

  const open = (key: ActiveKey, isUrgent: boolean) => {
    frameCount += 1;
    // Unique in the session history, and the same in a server's HTML and its hydration.
    const id = `${name}-${key.requestedAt}-${frameCount}`;
    const onStatus = (status: FrameStatus) => changeStatus(id, status);
    const element = createFrameElement({ id, src: key.src, isConcealed, environment, onStatus });
    const frame = { id, key, element, openedAt: clock.now(), isUrgent, status: 'loading' } as const;
    dispatch({ type: 'opened', frame });
  };

  /** Follows the session: a frame for its key, and none after a refusal. */
  const followSession = (now: number) => {
    const { status, activeKey } = session.getSnapshot();
    if (status === 'refused') dispatch({ type: 'removed' });
    const newest = frames.at(-1);
    const isWanted = !newest || isSeamless() || isRefreshWanted;
    if (!activeKey || activeKey === newest?.key || now >= activeKey.expiresAt || !isWanted) return;
    open(activeKey, isRefreshWanted);
    isRefreshWanted = false;
  };

  const promoteStandby = (now: number) => {
    const [current, standby] = frames;
    const hasFocus = !!current?.element.hasFocus();
    if (!shouldPromote(frames, { now, isInUse: hasFocus && !environment.document.hidden })) return;
    dispatch({ type: 'promoted' });
    if (hasFocus) frameToFocus = standby?.element;
  };

  /** A frame that is loading may miss the new data, so it is loaded again afterward. */
  const reloadLater = () => {
    const [current, standby] = frames;
    if (!isReloadWanted || current?.status !== 'loaded' || standby) return;
    isReloadWanted = false;
    open(current.key, true);
  };

  const derive = (now: number): ReportSnapshot =>
    deriveSnapshot({
      now,
      frames,
      session: session.getSnapshot(),
      isIdle,
      isRenewing: isSeamless() || isRefreshWanted,
      loadTimeoutMs: loadTimeoutMs(),
      isPageIsolated: environment.crossOriginIsolated,
    });

  const isOnPage = () => !!root.current || listeners.size > 0;

  const findDemand = (): KeyDemand => {
    if (!isOnPage()) return 'none';
    if (isSeamless()) return 'renewed';
    return !frames.length || isRefreshWanted ? 'usable' : 'none';
  };

  /** Updates frames and state; returns whether anything visible has changed. */
  const update = (now: number): boolean => {
    followSession(now);
    promoteStandby(now);
    reloadLater();
    const next = derive(now);
    if (describeSnapshot(next) === describeSnapshot(snapshot)) return false;
    snapshot = next;
    for (const listener of listeners) listener();
    return true;
  };

  const check: ClockTask = (now) => {
    for (const { element } of frames) element.checkFocus();
    update(now);
    waiters.settle(frames, snapshot, session.getSnapshot());
    notifyOfFrames({ now, options, frames, reliableSince: clock.reliableSince(), refresh });
    return frames.flatMap(({ key, openedAt }) => [openedAt + loadTimeoutMs(), key.refreshAt, key.expiresAt]);
  };

  const start = () => {
    isIdle = false;
    inspectedReports.add(store);
    const ends = [
      session.acquire({ query, findDemand, retainedKey: frames.at(-1)?.key }),
      session.subscribe(check),
      listenToBlockedFrames(environment, (isAffected) => {
        for (const { id, key } of frames) if (isAffected(key.src)) changeStatus(id, 'blocked');
      }),
    ];
    if (serverSnapshot) {
      // A frame from a server's HTML may contain another document, or none.
      if (isCredentialless(environment) || isRestoredPage()) dispatch({ type: 'removed' });
      // It may have loaded before hydration.
      else frames[0]?.element.props.onLoad();
    }
    serverSnapshot = undefined;
    stop = () => {
      inspectedReports.delete(store);
      for (const end of ends) end();
    };
  };

  /** Starts when React attaches the element, before it paints the page; subscribers follow later. */
  const activate = () => {
    if (stop || !isEnabled) return;
    if (isIdle && root.current) stop = whenNear(root.current, environment, start);
    else start();
  };

  const deactivateLater = () => {
    // StrictMode unmounts and remounts everything in the same job.
    queueMicrotask(() => {
      if (!stop || isOnPage()) return;
      stop();
      stop = undefined;
      waiters.abort();
    });
  };

  const root: ReportStore['root'] = Object.assign(
    (element: HTMLDivElement | null) => {
      root.current = element;
      if (!element) return deactivateLater();
      positionRoot(element);
      activate();
      // A report that <Activity> shows again may have expired: draw that before the paint.
      if (isActive() && update(clock.now())) redraw?.();
    },
    { current: null },
  );

  const refresh = (): Promise<void> => {
    const oldKey = frames.at(-1)?.key;
    const refreshed = waiters.add(oldKey);
    if (!isActive()) waiters.abort();
    else {
      const { activeKey } = session.getSnapshot();
      const hasNewKey = oldKey && activeKey && activeKey !== oldKey && clock.now() < activeKey.refreshAt;
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
    session,
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
