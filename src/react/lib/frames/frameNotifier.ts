import type { ActiveKey } from '../session/activeKey.ts';
import { isShown } from './deriveSnapshot.ts';
import type { FrameList } from './frameEntry.ts';
import { notifyHost } from './notifyHost.ts';
import type { ReportOptions } from './reportOptions.ts';

/** What the frames of a report have come to. */
export interface FrameProgress {
  readonly now: number;
  readonly options: ReportOptions;
  readonly frames: FrameList;
  /** From when on the clock is reliable: the age of an earlier key is in doubt. */
  readonly reliableSince: number;
  /** What `onRefreshDue` hands to the host. */
  readonly refresh: () => Promise<void>;
}

/** Creates a function that tells the host what has happened to the frames of a report since its last call. */
export const createFrameNotifier = (): ((progress: FrameProgress) => void) => {
  let known: FrameList = [];
  /** The last frame that could be seen. */
  let shownId: string | undefined;
  /** The last key that the host was told to renew. */
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
