import { EmbedError } from './errors.ts';
import type { FrameElement } from './frameElement.ts';
import type { KeySnapshot } from './keySession.ts';
import type { ActiveKey } from './keyTime.ts';
import type { ReportFrame, ReportSnapshot, ReportState } from './reportState.ts';

/*
 * The frames of a report: the current one and, while it is renewed, its standby.
 *
 *   (none) ── opened ──▶ loading ── loaded ──▶ shown ── opened ──▶ shown + standby
 *                           │                    ▲                       │
 *                   blocked, denied              └────── promoted ───────┘
 *
 * A frame that the host moves in its page is emptied by the browser, and loads again. `removed` leads back to no frame.
 */

/** Status of a frame. `blocked`, by the page's Content-Security-Policy, and `denied`, by the browser, are final. */
export type FrameStatus = 'loading' | 'loaded' | 'blocked' | 'denied';

const isFinal = (status: FrameStatus): boolean => status === 'blocked' || status === 'denied';

/** One iframe with one key, for as long as it is in the list. */
export interface FrameEntry {
  /** Unique on the page and in its session history. */
  readonly id: string;
  readonly key: ActiveKey;
  readonly element: FrameElement;
  /** When it was added, on the page's clock. */
  readonly openedAt: number;
  /** Whether it was requested explicitly, so that it takes over as soon as it has loaded. */
  readonly isUrgent: boolean;
  readonly status: FrameStatus;
  /** The origin that the page's policy blocked. */
  readonly blockedOrigin?: string | undefined;
}

/** The frames of a report: the current one and, while the report is renewed, the standby that replaces it. */
export type FrameList = readonly FrameEntry[];

/** Events of a report's frames. */
export type FramesEvent =
  /** A frame with a new key, or again with the same key, starts to load. */
  | { readonly type: 'opened'; readonly frame: FrameEntry }
  /** A frame has loaded, was blocked, or was emptied by the browser because the host moved it in its page. */
  | {
      readonly type: 'changed';
      readonly id: string;
      readonly status: FrameStatus;
      readonly blockedOrigin?: string | undefined;
    }
  /** The standby takes the place of the current frame. */
  | { readonly type: 'promoted' }
  /** The viewer may no longer see the report. */
  | { readonly type: 'removed' };

/** Returns the frames after an event. A frame that has not changed stays the same object. */
export const reduceFrames = (frames: FrameList, event: FramesEvent): FrameList => {
  switch (event.type) {
    case 'opened':
      // A standby that is still waiting when the next key arrives may never load.
      return [...frames.slice(0, 1), event.frame];
    case 'changed': {
      const { id, status, blockedOrigin } = event;
      return frames.map((frame) =>
        frame.id === id && frame.status !== status && !isFinal(frame.status)
          ? { ...frame, status, blockedOrigin }
          : frame,
      );
    }
    case 'promoted':
      return frames.slice(-1);
    case 'removed':
      return [];
  }
};

/** A standby waits for a viewer who uses the report, but not during this last part of the old key's lifetime. */
const promotionMarginMs = 60_000;

/** Whether the standby takes the place of the current frame now. */
export const shouldPromote = ([current, standby]: FrameList, now: number, isInUse: boolean): boolean => {
  if (!current || !standby) return false;
  const leftMs = current.key.expiresAt - now;
  // There is no visible report to keep.
  if (current.status !== 'loaded' || leftMs <= 0) return true;
  return standby.status === 'loaded' && (!isInUse || standby.isUrgent || leftMs <= promotionMarginMs);
};

/** Everything that a report's state depends on. */
export interface ReportFacts {
  readonly now: number;
  readonly frames: FrameList;
  readonly session: KeySnapshot;
  /** Whether nothing is requested yet. */
  readonly isIdle: boolean;
  /** Whether this report uses its session's renewals, or has requested one. */
  readonly isRenewing: boolean;
  /** Whether the page was restored, and access is not yet checked. */
  readonly isCovered: boolean;
  readonly loadTimeoutMs: number;
}

const findFrameError = (frame: FrameEntry, facts: ReportFacts): EmbedError | undefined => {
  const { status, openedAt, key, blockedOrigin } = frame;
  const isLate = status === 'loading' && facts.now >= openedAt + facts.loadTimeoutMs;
  if (!isLate && !isFinal(status)) return undefined;
  const slow = globalThis.crossOriginIsolated ? 'frame_isolated' : 'frame_slow';
  const origin = blockedOrigin ?? new URL(key.src).origin;
  return new EmbedError(isLate ? slow : `frame_${status}`, { origin });
};

const findError = (facts: ReportFacts): EmbedError | undefined => {
  const { now, session, isRenewing, isCovered } = facts;
  const [current, standby] = facts.frames;
  if (!current || isCovered) return session.error;
  if (now >= current.key.expiresAt && !isFinal(current.status))
    return isRenewing ? session.error : new EmbedError('key_expired');
  const isLoaded = current.status === 'loaded';
  return (isLoaded && isRenewing && session.error) || findFrameError((isLoaded && standby) || current, facts);
};

/** Derives the snapshot of a report from its key and its frames. */
export const deriveSnapshot = (facts: ReportFacts): ReportSnapshot => {
  const { now, isIdle, isCovered } = facts;
  const [current, standby] = facts.frames;
  const isEnded = !!current && now >= current.key.expiresAt;
  const isShown = current?.status === 'loaded' && !isEnded && !isCovered;
  const deriveState = (): ReportState => {
    if (isIdle) return { status: 'idle' };
    const error = findError(facts);
    if (isShown && error) return { status: 'degraded', error, since: new Date() };
    // A standby that has loaded waits for its time.
    if (isShown) return { status: standby?.status === 'loading' ? 'refreshing' : 'ready' };
    if (!error) return { status: 'loading' };
    return { status: isEnded ? 'expired' : 'failed', error };
  };
  const frames = facts.frames.map(
    ({ id, element }, index): ReportFrame => ({ id, isVisible: !index && isShown, props: element.props }),
  );
  return { state: deriveState(), frames };
};

/** The visible part of a snapshot as text: snapshots with equal text look the same. */
export const describeSnapshot = ({ state: { status, error }, frames }: ReportSnapshot): string =>
  JSON.stringify([
    status,
    error?.code,
    error?.retryAfterMs,
    frames.map(({ id, isVisible }) => [id, isVisible]),
  ]);
