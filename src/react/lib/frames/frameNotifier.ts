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
  /** Generation of the clock: a key of an earlier one is in doubt. */
  readonly clockGeneration: number;
  /** What `onRefreshDue` hands to the host. */
  readonly refresh: () => Promise<void>;
}

/** Tells the host what happens to the frames of a report. */
export interface FrameNotifier {
  /** A frame has loaded. */
  readonly addLoad: () => void;
  /** Calls back for everything that has happened since the last time. */
  readonly notify: (progress: FrameProgress) => void;
}

/** Creates {@link FrameNotifier}. */
export const createFrameNotifier = (): FrameNotifier => {
  let loadCount = 0;
  /** The last frame that could be seen. */
  let shownId: string | undefined;
  /** The last key that the host was told to renew. */
  let dueKey: ActiveKey | undefined;
  return {
    addLoad: () => {
      loadCount += 1;
    },
    notify: ({ now, options, frames, clockGeneration, refresh }) => {
      for (; loadCount; loadCount -= 1) notifyHost(options.onLoad);
      const [current] = frames;
      if (!current) shownId = undefined;
      else if (isShown(current, now) && current.id !== shownId) {
        if (shownId) notifyHost(options.onRefreshed);
        shownId = current.id;
      }
      const key = frames.at(-1)?.key;
      if (options.refreshPolicy !== 'manual' || !key || dueKey === key) return;
      if (now < key.refreshAt && key.clockGeneration === clockGeneration) return;
      dueKey = key;
      notifyHost(options.onRefreshDue, { expiresInMs: key.expiresAt - now, refresh });
    },
  };
};
