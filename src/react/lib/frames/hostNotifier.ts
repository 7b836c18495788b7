import { inspect } from '../inspection/inspector.ts';
import type { ActiveKey } from '../session/activeKey.ts';
import type { FrameList } from './frameEntry.ts';
import { notifyHost } from './notifyHost.ts';
import type { ReportOptions } from './reportOptions.ts';
import type { ReportState } from './reportState.ts';

/** What a report has come to. */
export interface ReportProgress {
  readonly now: number;
  readonly options: ReportOptions;
  readonly state: ReportState;
  readonly frames: FrameList;
  /** Whether the frames' newest key is due. */
  readonly isDue: boolean;
}

/** Tells the host what has happened since the last time. */
export interface HostNotifier {
  readonly update: (progress: ReportProgress) => void;
  /** A frame has taken the place of another. */
  readonly addRefreshed: () => void;
}

/** Creates a {@link HostNotifier}. `refresh` is what `onRefreshDue` hands to the host. */
export const createHostNotifier = (
  itemId: number,
  initial: ReportState,
  refresh: () => Promise<void>,
): HostNotifier => {
  let told = initial;
  let loadedIds: readonly string[] = [];
  let dueKey: ActiveKey | undefined;
  let refreshedCount = 0;

  const notifyDue = ({ now, options, frames, isDue }: ReportProgress) => {
    const key = frames.at(-1)?.key;
    if (!key || !isDue || dueKey === key || options.refreshPolicy !== 'manual') return;
    dueKey = key;
    notifyHost(options.onRefreshDue, { expiresInMs: key.expiresAt - now, refresh });
  };

  return {
    addRefreshed: () => {
      refreshedCount += 1;
    },
    update: (progress) => {
      const { options, state, frames } = progress;
      const { error } = state;
      const loaded = frames.filter(({ isLoaded, isBlocked }) => isLoaded && !isBlocked).map(({ id }) => id);
      const newlyLoaded = loaded.filter((id) => !loadedIds.includes(id));
      loadedIds = loaded;
      for (const _ of newlyLoaded) notifyHost(options.onLoad);
      for (; refreshedCount > 0; refreshedCount -= 1) notifyHost(options.onRefreshed);
      const before = told;
      told = state;
      if (state.status !== before.status || error?.code !== before.error?.code) {
        inspect({ type: 'state', itemId, state });
        notifyHost(options.onStateChange, state, { itemId });
        if (error) notifyHost(options.onError, error, { itemId });
      }
      notifyDue(progress);
    },
  };
};
