import type { ActiveKey } from '../session/activeKey.ts';
import { isShown } from './deriveSnapshot.ts';
import type { FrameList } from './frameEntry.ts';
import { notifyHost } from './notifyHost.ts';
import type { ReportOptions } from './reportOptions.ts';

/** The current state of a report's frames. */
export interface FrameProgress {
  readonly now: number;
  readonly options: ReportOptions;
  readonly frames: FrameList;
  /** Start of the clock's reliable time: the age of an earlier key is in doubt. */
  readonly reliableSince: number;
  /** The function that `onRefreshDue` receives. */
  readonly refresh: () => Promise<void>;
}

/** Creates a function that calls the host's callbacks for all changes to a report's frames since the last call. */
export const createFrameNotifier = (): ((progress: FrameProgress) => void) => {
  let known: FrameList = [];
  /** The last visible frame. */
  let shownId: string | undefined;
  /** The last key that `onRefreshDue` was called for. */
  let dueKey: ActiveKey | undefined;
  return ({ now, options, frames, reliableSince, refresh }) => {
    for (const frame of frames)
      if (frame.status === 'loaded' && !known.includes(frame)) notifyHost(options.onLoad);
    known = frames;
    const [current] = frames;
    if (!current) shownId = undefined;
    else if (isShown(current, now) && current.id !== shownId) {
      if (shownId) notifyHost(options.onRefreshed);
      shownId = current.id;
    }
    const key = frames.at(-1)?.key;
    if (options.refreshPolicy !== 'manual' || !key || dueKey === key) return;
    if (now < key.refreshAt && key.issuedAt >= reliableSince) return;
    dueKey = key;
    notifyHost(options.onRefreshDue, { expiresInMs: key.expiresAt - now, refresh });
  };
};
