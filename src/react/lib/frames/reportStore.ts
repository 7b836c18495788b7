import { EmbedError } from '../errors/embedError.ts';
import { type InspectedReport, inspectedReports } from '../inspection/inspector.ts';
import type { EmbedKeyQuery } from '../keys/embedKeyOptions.ts';
import type { ActiveKey } from '../session/activeKey.ts';
import { createDeferred, type Deferred } from '../session/deferred.ts';
import type { KeyLease, KeySession } from '../session/keySession.ts';
import type { KeyDemand } from '../session/scheduler.ts';
import { deriveState, isShown } from './deriveState.ts';
import { createFrameElements, isCredentialless } from './frameElements.ts';
import type { FrameList } from './frameEntry.ts';
import { createHostNotifier } from './hostNotifier.ts';
import { isRestoredPage } from './isRestoredPage.ts';
import { keepFocus } from './keepFocus.ts';
import { listenToBlockedFrames } from './listenToBlockedFrames.ts';
import { positionRoot } from './positionRoot.ts';
import { type FramesEvent, reduceFrames } from './reduceFrames.ts';
import type { ReportOptions } from './reportOptions.ts';
import { isSameSnapshot, type ReportSnapshot } from './reportState.ts';
import { shouldPromote } from './shouldPromote.ts';
import { whenNear } from './whenNear.ts';

/** The frames of one report on a page, as a store that React draws. */
export interface ReportStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => ReportSnapshot;
  /** What a server renders and a browser hydrates: the frame, visible at once, if its key came along. */
  readonly getServerSnapshot: () => ReportSnapshot;
  /** Sets the options, and how to draw before the page is painted. */
  readonly configure: (options: ReportOptions, redraw: () => void) => void;
  /** To be called after every commit. */
  readonly onCommit: () => void;
  /** Ref of the outermost element. */
  readonly root: { (element: HTMLDivElement | null): void; current: HTMLDivElement | null };
  /** Shows the report with a new key, without blanking it. Resolves when the new frame is visible; rejects with an {@link EmbedError}. */
  readonly refresh: () => Promise<void>;
  /** Asks for the report again, for a button that goes away with the error: the keyboard's place in the page stays. */
  readonly retry: () => void;
  /** Loads the report again with the key at hand, without blanking it. Calls while a frame loads become one. */
  readonly reload: () => void;
}

/** What does not change during the life of a store. */
export interface ReportStoreSetup {
  readonly itemId: number;
  /** Prefix of the frames' names: unique on the page, and the same on the server. */
  readonly name: string;
  readonly isEnabled: boolean;
  /** Keeps the key out of the document. */
  readonly isConcealed: boolean;
  /** Waits until the report is near the viewport. */
  readonly isLazy: boolean;
}

const defaultLoadTimeoutMs = 20_000;

/** Creates the store of one report. Nothing happens until it has an element or a subscriber. */
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
  let isHydrated = false;
  let isRefreshWanted = false;
  let isReloadWanted = false;
  let frameToFocus: string | undefined;
  /** Ends what has been started; undefined while the report is not on the page. */
  let stop: (() => void) | undefined;
  let lease: KeyLease | undefined;
  let waiters: readonly (Deferred & { readonly oldKey: ActiveKey | undefined })[] = [];

  const isSeamless = () => (options.refreshPolicy ?? 'seamless') === 'seamless';
  const loadTimeoutMs = () => options.loadTimeoutMs ?? defaultLoadTimeoutMs;

  const dispatch = (event: FramesEvent) => {
    frames = reduceFrames(frames, event);
  };
  const elements = createFrameElements({
    isConcealed,
    environment,
    onEvent: (event) => {
      dispatch(event);
      // A frame may load while <Activity> prepares the report out of sight: the host hears of it later.
      if (lease) check(clock.now());
    },
  });

  const open = (key: ActiveKey, isUrgent: boolean) => {
    frameCount += 1;
    // Unlike any other frame's in the session history, and the same in a server's HTML and its hydration.
    const id = `${name}-${key.askedAt}-${frameCount}`;
    dispatch({
      type: 'opened',
      frame: { id, key, openedAt: clock.now(), isUrgent, isLoaded: false, isBlocked: false },
    });
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
    if (!current || !standby) return;
    const hasFocus = elements.get(current).hasFocus();
    if (!shouldPromote(frames, { now, isInUse: hasFocus && !environment.document.hidden })) return;
    dispatch({ type: 'promoted' });
    notifier.addRefreshed();
    if (hasFocus) frameToFocus = standby.id;
  };

  /** Data that changes while a frame loads may not be in it: it is loaded once more after that. */
  const reloadLater = () => {
    const [current, standby] = frames;
    if (!isReloadWanted || !current?.isLoaded || standby) return;
    isReloadWanted = false;
    open(current.key, true);
  };

  const derive = (now: number): ReportSnapshot => ({
    state: deriveState({
      now,
      frames,
      session: session.getSnapshot(),
      isIdle,
      isRenewing: isSeamless() || isRefreshWanted,
      loadTimeoutMs: loadTimeoutMs(),
      isPageIsolated: !!environment.crossOriginIsolated,
    }),
    frames: frames.map((frame, index) => ({
      id: frame.id,
      isVisible: !index && isShown(frame, now),
      props: elements.get(frame).props,
    })),
  });

  const settleWaiters = (now: number) => {
    const [current] = frames;
    const keys = session.getSnapshot();
    waiters = waiters.filter(({ oldKey, resolve, reject }) => {
      const isNew = current && current.key !== oldKey;
      if (isNew && isShown(current, now)) return resolve();
      // A request that was in flight before may fail while the one that was asked for is still to come.
      const error = isNew ? snapshot.state.error : !keys.isRefreshWanted && keys.error;
      return error ? reject(error) : true;
    });
  };

  const isOnPage = () => !!root.current || listeners.size > 0;

  const findDemand = (): KeyDemand => {
    if (!isOnPage()) return 'none';
    if (isSeamless()) return 'renewed';
    return !frames.length || isRefreshWanted ? 'usable' : 'none';
  };

  /** Brings frames and state up to date; returns whether something visible has changed. */
  const update = (now: number): boolean => {
    followSession(now);
    promoteStandby(now);
    reloadLater();
    elements.keep(frames);
    lease?.setDemand(findDemand());
    const next = derive(now);
    if (isSameSnapshot(snapshot, next)) return false;
    snapshot = next;
    for (const listener of listeners) listener();
    return true;
  };

  const check = (now: number): number => {
    update(now);
    settleWaiters(now);
    const newest = frames.at(-1)?.key;
    const isDue = !!newest && (now >= newest.refreshAt || newest.clockGeneration !== clock.generation());
    notifier.update({ now, options, state: snapshot.state, frames, isDue });
    const deadlines = frames.flatMap(({ key, openedAt }) => [
      openedAt + loadTimeoutMs(),
      key.refreshAt,
      key.expiresAt,
    ]);
    return Math.min(...deadlines.filter((deadline) => deadline > now));
  };

  const inspected: InspectedReport = {
    itemId,
    session,
    getState: () => snapshot.state,
    getFrames: () => frames,
    refresh: () => refresh(),
  };

  const start = () => {
    isIdle = false;
    inspectedReports.add(inspected);
    const ends = [
      session.subscribe(clock.scheduleCheck),
      clock.subscribe({ check }),
      listenToBlockedFrames(environment, (isAffected) => {
        dispatch({ type: 'blocked', isAffected });
        clock.scheduleCheck();
      }),
    ];
    const [current] = frames;
    lease = session.acquire({ query, demand: 'usable', retainedKey: frames.at(-1)?.key });
    if (isHydrated && current) {
      // The frame of a server's HTML may hold another document, or none at all.
      if (isCredentialless(environment) || isRestoredPage()) dispatch({ type: 'removed' });
      // It may have loaded before anybody listened.
      else elements.get(current).props.onLoad();
    }
    isHydrated = false;
    stop = () => {
      inspectedReports.delete(inspected);
      for (const end of ends) end();
      lease?.release();
      lease = undefined;
    };
  };

  /** Begins when React attaches the element, which is before it paints the page; subscribers follow later. */
  const activate = () => {
    if (stop || !isEnabled) return;
    if (isIdle && root.current) stop = whenNear(root.current, environment, start);
    else start();
  };

  const deactivateLater = () => {
    lease?.setDemand(findDemand());
    // StrictMode takes everything away and brings it back in the same job.
    queueMicrotask(() => {
      if (!stop || isOnPage()) return;
      stop();
      stop = undefined;
      for (const { reject } of waiters) reject(new EmbedError('refresh_aborted'));
      waiters = [];
    });
  };

  const root: ReportStore['root'] = Object.assign(
    (element: HTMLDivElement | null) => {
      root.current = element;
      if (!element) return deactivateLater();
      positionRoot(element);
      activate();
      // A report that <Activity> shows again may have expired meanwhile: that is drawn before anybody sees it.
      if (lease && update(clock.now())) redraw?.();
    },
    { current: null },
  );

  const refresh = (): Promise<void> => {
    const deferred = createDeferred();
    if (!lease) deferred.reject(new EmbedError('refresh_aborted'));
    else {
      const oldKey = frames.at(-1)?.key;
      const { activeKey } = session.getSnapshot();
      const isKeyAtHand = oldKey && activeKey && activeKey !== oldKey && clock.now() < activeKey.refreshAt;
      isRefreshWanted = true;
      waiters = [...waiters, { ...deferred, oldKey }];
      if (!isKeyAtHand) session.refresh();
      clock.scheduleCheck();
    }
    return deferred.promise;
  };

  const initialKey = isIdle ? undefined : session.peek();
  const createdAt = clock.now();
  if (initialKey && createdAt < initialKey.expiresAt) open(initialKey, false);
  let snapshot = derive(createdAt);
  const notifier = createHostNotifier(itemId, snapshot.state, refresh);
  let serverSnapshot: ReportSnapshot | undefined;

  return {
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
      // The clocks of server and viewer need not agree: whatever the age of the key, its frame is in the HTML.
      if (initialKey && !frames.length) open(initialKey, false);
      const [frame] = frames;
      if (!frame) return (serverSnapshot = snapshot);
      isHydrated = true;
      const { credentialless: _, ...props } = elements.get(frame).props;
      snapshot = { state: { status: 'ready' }, frames: [{ id: frame.id, isVisible: true, props }] };
      return (serverSnapshot = snapshot);
    },
    configure: (next, draw) => {
      const { refreshPolicy, loadTimeoutMs } = options;
      options = next;
      redraw = draw;
      if (next.refreshPolicy !== refreshPolicy || next.loadTimeoutMs !== loadTimeoutMs) clock.scheduleCheck();
    },
    onCommit: () => {
      const [frame] = snapshot.frames;
      if (!frame?.isVisible || frame.id !== frameToFocus) return;
      frameToFocus = undefined;
      const [current] = frames;
      if (current) elements.get(current).focus();
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
};
