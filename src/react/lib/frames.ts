import { EmbedError, isRefusal } from './errors.ts';
import type { ActiveKey, KeySnapshot } from './keyTime.ts';
import type {
  ReportFrame,
  ReportFrameProps,
  ReportOptions,
  ReportSnapshot,
  ReportState,
} from './reportState.ts';

/*
 * The frames of a report: the current one and, while it is renewed, its standby.
 *
 *   (none) ── key ──▶ loading ── loaded ──▶ shown ── new key, reload ──▶ shown + standby
 *     ▲                  │                    ▲                                │
 *  refused        blocked, denied             └─── promoted: loaded, not in use ┘
 *
 * A frame that the host moves in its page is emptied by the browser, and loads again.
 */

/** Status of a frame. `blocked`, by the page's Content-Security-Policy, and `denied`, by the browser, are final. */
export type FrameStatus = 'loading' | 'loaded' | 'blocked' | 'denied';

const isFinal = (status: FrameStatus): boolean => status === 'blocked' || status === 'denied';

/** One iframe in the document. */
export interface FrameControl {
  readonly props: ReportFrameProps;
  readonly hasFocus: () => boolean;
  /** Whether the viewer uses the report: it has or had the focus since it loaded, the pointer is over it, or something inside is in full screen. */
  readonly isInUse: () => boolean;
  /** Gives the focus back if the report has taken it by itself. */
  readonly checkFocus: () => void;
  readonly focus: () => void;
}

/** One iframe with one key, for as long as it is in the list. */
export interface FrameEntry {
  /** Unique on the page and in its session history. */
  readonly id: string;
  readonly key: ActiveKey;
  readonly control: FrameControl;
  /** When it was added, on the page's clock and on the viewer's. */
  readonly openedAt: number;
  readonly openedOn: Date;
  /** Whether it was requested explicitly, so that it takes over as soon as it has loaded. */
  readonly isUrgent: boolean;
  readonly status: FrameStatus;
  /** The origin that the page's policy blocked. */
  readonly blockedOrigin?: string | undefined;
}

/** A report on a page. */
export interface Report {
  /** The current frame and, while the report is renewed, the standby that replaces it. */
  readonly frames: readonly FrameEntry[];
  /** Whether `refresh()` waits for a frame with a new key. */
  readonly isRefreshWanted: boolean;
  /** Whether `reload()` waits for a frame with the same key. */
  readonly isReloadWanted: boolean;
}

/** What a report finds when it looks around. */
export interface ReportFacts {
  readonly now: number;
  readonly options: ReportOptions;
  readonly session: KeySnapshot;
  /** Whether nothing is requested yet. */
  readonly isIdle: boolean;
  /** Whether the viewer uses the current frame. */
  readonly isInUse: boolean;
  /** Whether the root is on the page and has a place there. */
  readonly canOpen: () => boolean;
  readonly createFrame: (key: ActiveKey, isUrgent: boolean) => FrameEntry;
}

/** Events of a report. */
export type ReportEvent =
  /** Time has passed, or something around the report has changed. */
  | { readonly type: 'looked'; readonly facts: ReportFacts }
  /** A frame has loaded, was blocked, or was emptied by the browser because the host moved it in its page. */
  | {
      readonly type: 'changed';
      readonly id: string;
      readonly status: FrameStatus;
      readonly blockedOrigin?: string | undefined;
    }
  /**
   * The host wants a frame with a new key, or the report with its key once more; or the browser keeps the page for a return, perhaps of
   * another person.
   */
  | { readonly type: 'refresh' | 'reload' | 'stored' };

/** A report without a frame. */
export const emptyReport: Report = { frames: [], isRefreshWanted: false, isReloadWanted: false };

/** Whether a report is renewed without the host. */
export const isSeamless = ({ refreshPolicy = 'seamless' }: ReportOptions): boolean =>
  refreshPolicy === 'seamless';

/** A frame for a new key, and none after a refusal. */
const followKey = (report: Report, facts: ReportFacts): Report => {
  const { now, options, session, canOpen, createFrame } = facts;
  const { activeKey: key, error } = session;
  const frames = isRefusal(error) ? [] : report.frames;
  const newest = frames.at(-1);
  // A key that only proves access waits until the frame needs it.
  const isNeeded = report.isRefreshWanted || !newest || (isSeamless(options) && now >= newest.key.refreshAt);
  if (!key || key === newest?.key || now >= key.expiresAt || !isNeeded || !canOpen())
    return { ...report, frames };
  // A standby that is still waiting when the next key arrives may never load.
  const opened = [...frames.slice(0, 1), createFrame(key, report.isRefreshWanted)];
  return { ...report, frames: opened, isRefreshWanted: false };
};

/** The last moment at which a frame may load. */
export const loadDeadline = ({ openedAt }: FrameEntry, { loadTimeoutMs = 20_000 }: ReportOptions): number =>
  openedAt + loadTimeoutMs;

const isLate = (frame: FrameEntry, { now, options }: ReportFacts): boolean =>
  frame.status === 'loading' && now >= loadDeadline(frame, options);

/** A standby waits for a viewer who uses the report, but not during this last part of the old key's lifetime. */
export const promotionMarginMs = 60_000;

const promoteStandby = (report: Report, facts: ReportFacts): Report => {
  const { now, isInUse, canOpen, createFrame } = facts;
  const [current, standby] = report.frames;
  if (!current || !standby) return report;
  const leftMs = current.key.expiresAt - now;
  // There is no visible report to keep.
  const isGone = current.status !== 'loaded' || leftMs <= 0;
  // Firefox and WebKit never load a frame whose connection has failed.
  if (leftMs <= 0 && now < standby.key.expiresAt && isLate(standby, facts))
    return canOpen() ? { ...report, frames: [createFrame(standby.key, true)] } : report;
  const isUrgent = standby.isUrgent || leftMs <= promotionMarginMs;
  const isReady = standby.status === 'loaded' && (isUrgent || !isInUse);
  return isGone || isReady ? { ...report, frames: [standby] } : report;
};

/** Shortest interval of reloads by time. */
const minReloadMs = 10_000;

/** When to reload a frame. */
export const reloadTime = (
  { openedAt }: FrameEntry,
  { reloadIntervalMs = Infinity }: ReportOptions,
): number => openedAt + Math.max(reloadIntervalMs, minReloadMs);

/** A frame that is loading may miss the new data, so it is loaded again afterward. */
const reloadShown = (report: Report, facts: ReportFacts): Report => {
  const { now, options, isInUse, canOpen, createFrame } = facts;
  const { frames, isReloadWanted } = report;
  const [current, newest = current] = frames;
  // A standby that is late may never load.
  if (current?.status !== 'loaded' || !newest || (newest !== current && !isLate(newest, facts)))
    return report;
  const isTime =
    now >= reloadTime(newest, options) && !isInUse && !document.hidden && navigator.onLine !== false;
  if (!(isReloadWanted || isTime) || !canOpen()) return report;
  return { ...report, frames: [current, createFrame(newest.key, isReloadWanted)], isReloadWanted: false };
};

/** Returns a report after an event. */
export const reduceReport = (report: Report, event: ReportEvent): Report => {
  switch (event.type) {
    case 'looked':
      return reloadShown(promoteStandby(followKey(report, event.facts), event.facts), event.facts);
    case 'changed': {
      const { id, status, blockedOrigin } = event;
      const frames = report.frames.map((frame) =>
        frame.id === id && frame.status !== status && !isFinal(frame.status)
          ? { ...frame, status, blockedOrigin }
          : frame,
      );
      return { ...report, frames };
    }
    case 'refresh':
      return { ...report, isRefreshWanted: true };
    case 'reload':
      return { ...report, isReloadWanted: report.frames.length > 0 };
    case 'stored':
      return emptyReport;
  }
};

const findFrameError = (frame: FrameEntry, facts: ReportFacts): EmbedError | undefined => {
  const { status, key, blockedOrigin } = frame;
  const isSlow = isLate(frame, facts);
  if (!isSlow && !isFinal(status)) return undefined;
  const origin = blockedOrigin ?? new URL(key.src).origin;
  return new EmbedError(isSlow ? 'frame_slow' : `frame_${status}`, { origin });
};

/** Derives what React renders. */
export const deriveSnapshot = (report: Report, facts: ReportFacts): ReportSnapshot => {
  const { now, options, session, isIdle } = facts;
  const [current, standby] = report.frames;
  const isLoaded = current?.status === 'loaded';
  const isEnded = !!current && now >= current.key.expiresAt;
  const isShown = isLoaded && !isEnded && !!session.activeKey;
  const isRenewing = isSeamless(options) || report.isRefreshWanted;
  const findError = (): EmbedError | undefined => {
    if (!current || !session.activeKey) return session.error;
    if (isEnded && !isFinal(current.status))
      return isRenewing ? session.error : new EmbedError('key_expired');
    return (
      (isLoaded && isRenewing && session.error) || findFrameError((isLoaded && standby) || current, facts)
    );
  };
  const deriveState = (): ReportState => {
    if (isIdle) return { status: 'idle' };
    const error = findError();
    if (isShown && error) return { status: 'degraded', error, since: current.openedOn };
    // A standby that has loaded waits for its time.
    if (isShown) return { status: standby?.status === 'loading' ? 'refreshing' : 'ready' };
    if (!error) return { status: 'loading' };
    return { status: isEnded ? 'expired' : 'failed', error };
  };
  const frames = report.frames.map(
    ({ id, control }, index): ReportFrame => ({ id, isVisible: !index && isShown, props: control.props }),
  );
  return { state: deriveState(), frames };
};

/** The visible part of a snapshot as text: snapshots with equal text look the same. */
export const describeSnapshot = ({ state: { status, error }, frames }: ReportSnapshot): string =>
  JSON.stringify([status, error?.code, error?.retryAfterMs, frames]);
