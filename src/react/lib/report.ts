import { createFrameControl, isNetworkDenied, keepFocus } from './frameControl.ts';
import {
  deriveSnapshot,
  describeSnapshot,
  emptyReport,
  type FrameControl,
  type FrameEntry,
  isSeamless,
  loadDeadline,
  promotionMarginMs,
  type ReportEvent,
  type ReportFacts,
  reduceReport,
  reloadTime,
} from './frames.ts';
import { embedKeyOptions } from './keyQuery.ts';
import { getKeySession } from './keySession.ts';
import type { ActiveKey, ClockTask } from './keyTime.ts';
import { clock, getQueryClient, type PageReport, type ReportSetup, reports } from './page.ts';
import type { ReportOptions, ReportSnapshot } from './reportState.ts';

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

/** Whether an element has a place on the page. A frame without one lays its report out at a width of 0. */
const hasBox = (element: Element): boolean => {
  const { parentElement } = element;
  if (parentElement && getComputedStyle(element).display === 'contents') return hasBox(parentElement);
  // A test environment has no layout at all.
  return element.getClientRects().length > 0 || document.documentElement.getClientRects().length === 0;
};

/** Creates a {@link PageReport}. It does nothing until its first commit. */
export const createReport = (setup: ReportSetup): PageReport => {
  const { itemId, keys, queryClient, isEnabled, isConcealed, isLazy } = setup;
  const query = embedKeyOptions(itemId, keys);
  const session = getKeySession(getQueryClient(queryClient), query);
  const root: PageReport['controls']['root'] = { current: null };
  let report = emptyReport;
  let options: ReportOptions = {};
  let notify: (() => void) | undefined;
  let isIdle = !isEnabled || isLazy;
  let frameToFocus: FrameControl | undefined;
  let notifiedFrames: readonly FrameEntry[] = [];
  /** The last key that `onRefreshDue` was called for. */
  let dueKey: ActiveKey | undefined;
  /** Stops the report; undefined while it is not on the page. */
  let stop: (() => void) | undefined;

  const dispatch = (event: ReportEvent) => {
    const [before] = report.frames;
    report = reduceReport(report, event);
    const [current] = report.frames;
    if (current !== before && before?.control.hasFocus()) frameToFocus = current?.control;
  };

  const changeStatus = (id: string, status: FrameEntry['status'], blockedOrigin?: string) => {
    dispatch({ type: 'changed', id, status, blockedOrigin });
    clock.scheduleCheck();
  };

  const createFrame = (key: ActiveKey, isUrgent: boolean): FrameEntry => {
    // Unique in the session history, and among copies of the library on the page.
    const id = `vitrine-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
    const onStatus = (status: FrameEntry['status']) => {
      changeStatus(id, status);
      if (status === 'loaded')
        void isNetworkDenied(key.src).then((isDenied) => isDenied && changeStatus(id, 'denied'));
    };
    const control = createFrameControl({ id, src: key.src, isConcealed, onStatus });
    return { id, key, control, openedAt: clock.now(), openedOn: new Date(), isUrgent, status: 'loading' };
  };

  const lookAround = (now: number): ReportFacts => ({
    now,
    options,
    session: session.getSnapshot(),
    isIdle,
    isInUse: !!report.frames[0]?.control.isInUse(),
    canOpen: () => !root.current || (root.current.isConnected && hasBox(root.current)),
    createFrame,
  });

  /** Updates frames and state; returns whether anything visible has changed. */
  const update = (now: number): boolean => {
    const facts = lookAround(now);
    dispatch({ type: 'looked', facts });
    const next = deriveSnapshot(report, facts);
    if (describeSnapshot(next) === describeSnapshot(snapshot)) return false;
    snapshot = next;
    return true;
  };

  const isInDemand = (): boolean =>
    root.current?.isConnected !== false &&
    (isSeamless(options) || !report.frames.length || report.isRefreshWanted);

  const notifyOfFrames = (now: number) => {
    const { frames } = report;
    for (const frame of frames)
      if (frame.status === 'loaded' && !notifiedFrames.includes(frame))
        notifyHost(options.onLoad, { keyMs: frame.key.requestMs, frameMs: now - frame.openedAt });
    notifiedFrames = frames;
    const key = frames.at(-1)?.key;
    if (options.refreshPolicy !== 'manual' || !key || dueKey === key || now < key.refreshAt) return;
    dueKey = key;
    notifyHost(options.onRefreshDue, { expiresInMs: key.expiresAt - now, refresh });
  };

  const check: ClockTask = (now, _isWake, isStored) => {
    if (isStored) dispatch({ type: 'stored' });
    for (const { control } of report.frames) control.checkFocus();
    if (update(now)) notify?.();
    notifyOfFrames(now);
    return report.frames.flatMap((frame) => {
      const { refreshAt, expiresAt } = frame.key;
      return [
        loadDeadline(frame, options),
        reloadTime(frame, options),
        refreshAt,
        expiresAt - promotionMarginMs,
        expiresAt,
      ];
    });
  };

  const onBlocked = (event: Event) => {
    // The event type guarantees this class.
    const { effectiveDirective, disposition, blockedURI } = event as SecurityPolicyViolationEvent;
    if (effectiveDirective !== 'frame-src' || disposition !== 'enforce') return;
    const frames = [...reports].flatMap(({ getFrames }) => getFrames());
    const [loading, ...others] = frames.filter(({ status }) => status !== 'loaded');
    for (const frame of report.frames) {
      // Browsers report only the origin, or the whole URL if it is same-origin.
      if (`${blockedURI}/`.startsWith(`${new URL(frame.key.src).origin}/`)) changeStatus(frame.id, 'blocked');
      // A report that redirects, for example to a sign-in page: only if no other frame can be meant.
      else if (frame === loading && !others.length) changeStatus(frame.id, 'blocked', blockedURI);
    }
  };

  const start = () => {
    isIdle = false;
    reports.add(self);
    const controller = new AbortController();
    addEventListener('securitypolicyviolation', onBlocked, { capture: true, signal: controller.signal });
    const release = session.acquire({ query, keys, isInDemand, retainedKey: report.frames.at(-1)?.key });
    const unsubscribe = clock.subscribe(check);
    // The root gets a box, or loses it. Test environments may lack the class.
    const observer =
      typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(clock.scheduleCheck);
    if (root.current) observer?.observe(root.current);
    stop = () => {
      reports.delete(self);
      controller.abort();
      release();
      unsubscribe();
      observer?.disconnect();
    };
  };

  const refresh = () => {
    if (!stop || isIdle) return;
    dispatch({ type: 'refresh' });
    session.refresh();
  };

  const serverSnapshot: ReportSnapshot = { state: { status: isIdle ? 'idle' : 'loading' }, frames: [] };
  let snapshot = serverSnapshot;
  const initialKey = isIdle ? undefined : session.peek();
  if (initialKey && clock.now() < initialKey.expiresAt)
    report = { ...emptyReport, frames: [createFrame(initialKey, false)] };
  snapshot = deriveSnapshot(report, lookAround(clock.now()));

  const self: PageReport = {
    setup,
    getFrames: () => report.frames,
    getSnapshot: () => snapshot,
    getServerSnapshot: () => serverSnapshot,
    subscribe: (onChange) => {
      notify = onChange;
      return () => {
        stop?.();
        stop = notify = undefined;
      };
    },
    forget: () => {
      if (!stop) dispatch({ type: 'stored' });
    },
    commit: (next, redraw) => {
      options = next;
      if (!stop && isEnabled) {
        if (isIdle && root.current) stop = whenNear(root.current, start);
        else start();
        // A report that <Activity> shows again may have expired.
        if (!isIdle && update(clock.now())) redraw();
      } else if (!isIdle) clock.scheduleCheck();
      if (!snapshot.frames[0]?.isVisible) return;
      frameToFocus?.focus();
      frameToFocus = undefined;
    },
    controls: {
      root,
      refresh,
      retry: () => {
        keepFocus(root.current);
        refresh();
      },
      reload: () => {
        dispatch({ type: 'reload' });
        clock.scheduleCheck();
      },
    },
  };
  return self;
};
