import { EmbedError } from '../errors/embedError.ts';
import type { ActiveKey } from '../session/activeKey.ts';
import type { KeySnapshot } from '../session/keySession.ts';
import type { FrameList } from './frameEntry.ts';
import type { ReportSnapshot } from './reportState.ts';

/** Promises of pending refreshes. */
export interface RefreshWaiters {
  /** Waits for a frame with a key newer than `oldKey`. */
  readonly add: (oldKey: ActiveKey | undefined) => Promise<void>;
  /** Settles the promises of finished refreshes. */
  readonly settle: (frames: FrameList, report: ReportSnapshot, session: KeySnapshot) => void;
  /** Rejects all promises: the report is not on the page. */
  readonly abort: () => void;
}

interface Waiter {
  readonly oldKey: ActiveKey | undefined;
  readonly resolve: () => void;
  readonly reject: (error: EmbedError) => void;
}

/** Creates {@link RefreshWaiters}. Unhandled rejections are not reported: `onError` also informs the host. */
export const createRefreshWaiters = (): RefreshWaiters => {
  let waiters: readonly Waiter[] = [];
  return {
    add: (oldKey) => {
      const promise = new Promise<void>((resolve, reject) => {
        waiters = [...waiters, { oldKey, resolve, reject }];
      });
      promise.catch(() => {});
      return promise;
    },
    settle: (frames, report, session) => {
      waiters = waiters.filter(({ oldKey, resolve, reject }) => {
        if (frames[0]?.key !== oldKey && report.frames[0]?.isVisible) return resolve();
        const isOpen = frames.at(-1)?.key !== oldKey;
        // An earlier request may fail before the requested one is sent.
        const error = isOpen ? report.state.error : !session.isRefreshWanted && session.error;
        return error ? reject(error) : true;
      });
    },
    abort: () => {
      for (const { reject } of waiters) reject(new EmbedError('refresh_aborted'));
      waiters = [];
    },
  };
};
