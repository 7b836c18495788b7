import type { NumberRanges, OptionNames } from '@vitrine/server/internal';
import { checkNumbers, checkOptions, longestTimerMs } from '@vitrine/server/internal';

/** How actions are streamed to browsers. */
export interface StreamOptions {
  /** Time that `canView` has for one viewer and one action, in milliseconds; then the viewer does not get it. Default: 10 seconds. */
  readonly timeoutMs?: number;
  /** Pause between heartbeats, in milliseconds. Default: 15 seconds. */
  readonly heartbeatMs?: number;
  /** A stream ends after about this long and the browser returns, so that access is checked again. Default: 5 minutes. */
  readonly maxStreamMs?: number;
  /**
   * Streams that one viewer may have open in this process; one more is answered 429 and tried again later. A browser needs
   * one, however many tabs it has. Default: 100.
   */
  readonly maxStreamsPerViewer?: number;
  /** Actions older than this are no longer shown to anybody, in milliseconds. Default: 5 minutes. */
  readonly maxAgeMs?: number;
  /** How often to check for actions that no one announced, such as another process's on one SQLite file. Default: 1 second. */
  readonly pollMs?: number;
}

const optionNames: OptionNames<StreamOptions> = {
  timeoutMs: true,
  heartbeatMs: true,
  maxStreamMs: true,
  maxStreamsPerViewer: true,
  maxAgeMs: true,
  pollMs: true,
};

const ranges: NumberRanges<StreamOptions> = {
  timeoutMs: [1, longestTimerMs],
  heartbeatMs: [1, longestTimerMs],
  maxStreamMs: [1, Number.MAX_SAFE_INTEGER],
  maxStreamsPerViewer: [1, 1_000_000],
  maxAgeMs: [1, Number.MAX_SAFE_INTEGER],
  pollMs: [1, longestTimerMs],
};

/** Throws a `VitrineOptionsError` for a name that does not exist or a number out of its range. */
export const checkStreamOptions = (options: StreamOptions): void => {
  checkOptions('`stream` of the actions', options, optionNames);
  checkNumbers('`stream` of the actions', options, ranges);
};
