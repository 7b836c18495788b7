import { EmbedError } from '../errors/embedError.ts';
import type { KeySnapshot } from '../session/keySession.ts';
import type { FrameEntry, FrameList } from './frameEntry.ts';
import type { ReportSnapshot, ReportState } from './reportState.ts';

/** Everything that a report's state depends on. */
export interface ReportFacts {
  readonly now: number;
  readonly frames: FrameList;
  readonly session: KeySnapshot;
  /** Whether nothing is requested yet. */
  readonly isIdle: boolean;
  /** Whether this report uses its session's renewals, or has requested one. */
  readonly isRenewing: boolean;
  readonly loadTimeoutMs: number;
  readonly isPageIsolated: boolean | undefined;
}

/** Whether the current frame is visible to the viewer. */
export const isShown = (current: FrameEntry | undefined, now: number): boolean =>
  current?.status === 'loaded' && now < current.key.expiresAt;

const findFrameError = (frame: FrameEntry, facts: ReportFacts): EmbedError | undefined => {
  const { status, openedAt, key } = frame;
  const isLate = status === 'loading' && facts.now >= openedAt + facts.loadTimeoutMs;
  if (!isLate && status !== 'blocked') return undefined;
  const slow = facts.isPageIsolated ? 'frame_isolated' : 'frame_slow';
  return new EmbedError(isLate ? slow : 'frame_blocked', { origin: new URL(key.src).origin });
};

const findError = (facts: ReportFacts): EmbedError | undefined => {
  const { now, session, isRenewing } = facts;
  const [current, standby] = facts.frames;
  if (!current) return session.error;
  if (now >= current.key.expiresAt && current.status !== 'blocked')
    return isRenewing ? session.error : new EmbedError('key_expired');
  const isLoaded = current.status === 'loaded';
  return (isLoaded && isRenewing && session.error) || findFrameError((isLoaded && standby) || current, facts);
};

/** Derives the state of a report. */
const deriveState = (facts: ReportFacts): ReportState => {
  const { now, isIdle } = facts;
  const [current, standby] = facts.frames;
  if (isIdle) return { status: 'idle' };
  const error = findError(facts);
  if (isShown(current, now)) {
    if (error) return { status: 'degraded', error };
    return { status: standby ? 'refreshing' : 'ready' };
  }
  if (!error) return { status: 'loading' };
  return { status: current && now >= current.key.expiresAt ? 'expired' : 'failed', error };
};

/** Derives the snapshot of a report from its key and its frames. */
export const deriveSnapshot = (facts: ReportFacts): ReportSnapshot => ({
  state: deriveState(facts),
  frames: facts.frames.map((frame, index) => ({
    id: frame.id,
    isVisible: !index && isShown(frame, facts.now),
    props: frame.element.props,
  })),
});
