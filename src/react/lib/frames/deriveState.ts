import { EmbedError } from '../errors/embedError.ts';
import type { KeySnapshot } from '../session/keySession.ts';
import type { FrameEntry, FrameList } from './frameEntry.ts';
import type { ReportState } from './reportState.ts';

/** Everything that a report's state depends on. */
export interface ReportFacts {
  readonly now: number;
  readonly frames: FrameList;
  readonly session: KeySnapshot;
  /** Nothing is requested yet. */
  readonly isIdle: boolean;
  /** Whether this report lives by its session's renewals, or has asked for one. */
  readonly isRenewing: boolean;
  readonly loadTimeoutMs: number;
  readonly isPageIsolated: boolean;
}

/** Whether the current frame is something to look at. */
export const isShown = (current: FrameEntry | undefined, now: number): boolean =>
  !!current && current.isLoaded && !current.isBlocked && now < current.key.expiresAt;

const originOf = ({ key }: FrameEntry) => new URL(key.src).origin;

const findError = (facts: ReportFacts): EmbedError | undefined => {
  const { now, session, isIdle, isRenewing, loadTimeoutMs, isPageIsolated } = facts;
  const [current] = facts.frames;
  if (isIdle) return undefined;
  if (!current) return session.error;
  if (current.isBlocked) return new EmbedError('frame_blocked', { origin: originOf(current) });
  if (now >= current.key.expiresAt) return isRenewing ? session.error : new EmbedError('key_expired');
  if (current.isLoaded) return isRenewing ? session.error : undefined;
  if (now < current.openedAt + loadTimeoutMs) return undefined;
  return new EmbedError(isPageIsolated ? 'frame_isolated' : 'frame_slow', { origin: originOf(current) });
};

/** Derives what a report is doing from its key and its frames. */
export const deriveState = (facts: ReportFacts): ReportState => {
  const { now, frames, isIdle } = facts;
  const [current, standby] = frames;
  const error = findError(facts);
  if (isShown(current, now)) {
    if (error) return { status: 'degraded', error };
    return { status: standby ? 'refreshing' : 'ready' };
  }
  if (!error) return { status: isIdle ? 'idle' : 'loading' };
  return { status: current && now >= current.key.expiresAt ? 'expired' : 'failed', error };
};
