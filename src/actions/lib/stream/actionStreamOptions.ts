import type { Logger } from '@vitrine/server';
import { VitrineOptionsError } from '@vitrine/server';
import {
  checkNewsPlaces,
  checkNumbers,
  checkOptions,
  longestTimerMs,
  type NumberRanges,
  type OptionNames,
} from '@vitrine/server/internal';
import type { ActionInbox } from '../inbox/actionInbox.ts';
import type { ReportNews } from '../news.ts';
import type { Audience, ItemIdOf } from './preparePublication.ts';

/** Options of `createActionStream`. */
export interface ActionStreamOptions {
  /** The inbox of the action webhook. */
  readonly inbox: ActionInbox;
  /**
   * Who gets an action: user IDs as `viewer` gives them. Required, and what it does not name is sent to nobody.
   * `event.currentUser` is the portal's own number of the person who clicked; only the host can say who that is.
   */
  readonly audience: Audience;
  /**
   * Finds an item's number by the GUID of the webhook, see `createItemIdResolver`. `<EmbeddedReport onAction>` knows its
   * clicks by that number, and the viewer's `canView` is asked about it once more before each action. Default: an ID made
   * of digits is the number, any other is unknown; then only `useReportActions` hears of it, without `itemId`.
   */
  readonly itemIdOf?: ItemIdOf;
  /**
   * Time that `audience` and `itemIdOf` have for one action together, in milliseconds; then nobody gets it, and those
   * behind it have their turn. `canView` has as much for one viewer, who then does not get it. Default: 10 seconds.
   */
  readonly timeoutMs?: number;
  /** Pause between proofs of life, in milliseconds. Default: 15 seconds. */
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
  /** How often to look for actions that no one announced, such as another process's on one SQLite file. Default: 1 second. */
  readonly pollMs?: number;
  /** Where news for an operator go. Default: warnings and errors on the console. */
  readonly logger?: Logger;
  /** Gets the same news as data, instead of `logger`. */
  readonly report?: ReportNews;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** A random number in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
}

const optionNames: OptionNames<ActionStreamOptions> = {
  inbox: true,
  audience: true,
  itemIdOf: true,
  timeoutMs: true,
  heartbeatMs: true,
  maxStreamMs: true,
  maxStreamsPerViewer: true,
  maxAgeMs: true,
  pollMs: true,
  logger: true,
  report: true,
  now: true,
  random: true,
};

const ranges: NumberRanges<ActionStreamOptions> = {
  timeoutMs: [1, longestTimerMs],
  heartbeatMs: [1, longestTimerMs],
  maxStreamMs: [1, Number.MAX_SAFE_INTEGER],
  maxStreamsPerViewer: [1, 1_000_000],
  maxAgeMs: [1, Number.MAX_SAFE_INTEGER],
  pollMs: [1, longestTimerMs],
};

/** Refuses options that a stream cannot work with. Throws what `createActionStream` says. */
export const checkActionStreamOptions = (options: ActionStreamOptions): void => {
  checkOptions('The action stream', options, optionNames);
  checkNumbers('the action stream', options, ranges);
  checkNewsPlaces('the action stream', options);
  if (typeof options.inbox?.publications !== 'function')
    throw new VitrineOptionsError(
      'missing_inbox',
      'The action stream has no inbox to read from. Give it the `inbox` of the action webhook.',
    );
  if (typeof options.audience !== 'function')
    throw new VitrineOptionsError(
      'missing_audience',
      'The action stream does not know who may see an action. Set `audience: (event) => [userId, …]`.',
    );
};
