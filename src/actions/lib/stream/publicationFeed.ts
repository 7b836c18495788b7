import type { ActionInbox, Publication } from '../inbox/actionInbox.ts';
import type { ReportNews } from '../news.ts';
import type { PreparedPublication } from './preparePublication.ts';

/** Options of {@link createPublicationFeed}. */
export interface PublicationFeedOptions {
  readonly inbox: ActionInbox;
  readonly prepare: (publication: Publication) => Promise<PreparedPublication>;
  /** Gets every new publication once, in order. */
  readonly onPublication: (publication: PreparedPublication) => void;
  readonly report: ReportNews;
}

/** The inbox's publications, read once for all streams of the process. */
export interface PublicationFeed {
  /** Everything up to here has been given to `onPublication`. */
  readonly cursor: number;
  /** Starts at the newest publication; without streams nothing was read. */
  wake(): Promise<void>;
  /** Reads on. Calls during a read are kept for one more. */
  pump(): Promise<void>;
  /**
   * Publications after a cursor up to {@link PublicationFeed.cursor}: at most so many from the inbox, and those that are
   * recent from memory.
   */
  replay(after: number, limit: number): AsyncIterable<PreparedPublication>;
  /** Nobody listens any more: what comes now is read by those who return. */
  sleep(): void;
}

const pageSize = 128;
const maxRecent = 512;

/** Creates the feed, asleep. */
export const createPublicationFeed = (options: PublicationFeedOptions): PublicationFeed => {
  const { inbox, prepare, onPublication, report } = options;
  let recent: PreparedPublication[] = [];
  /** Everything after this is in `recent`. */
  let recentAfter = 0;
  let cursor = 0;
  let waking: Promise<void> | undefined;
  let pumping: Promise<void> | undefined;
  const state = { isAwake: false, isWanted: false, hasNews: false };

  const remember = (publication: PreparedPublication): void => {
    recent.push(publication);
    if (recent.length <= maxRecent) return;
    recentAfter = recent[recent.length - maxRecent - 1]?.cursor ?? recentAfter;
    recent = recent.slice(-maxRecent);
  };

  const readOn = async (): Promise<void> => {
    while (state.isAwake && state.hasNews) {
      state.hasNews = false;
      const page = await inbox.publications(cursor, pageSize);
      state.hasNews ||= page.length === pageSize;
      for (const publication of page) {
        const prepared = await prepare(publication);
        if (!state.isAwake) return;
        cursor = publication.cursor;
        remember(prepared);
        onPublication(prepared);
      }
    }
  };

  return {
    get cursor() {
      return cursor;
    },
    async wake() {
      state.isWanted = true;
      if (state.isAwake) return;
      waking ??= (async () => {
        try {
          await pumping;
          cursor = await inbox.lastCursor();
          recent = [];
          recentAfter = cursor;
          // Whoever it woke for may have left meanwhile; awake it would believe that it knows where the log ends.
          state.isAwake = state.isWanted;
        } finally {
          waking = undefined;
        }
      })();
      await waking;
    },
    async pump() {
      state.hasNews = true;
      if (!state.isAwake) return;
      pumping ??= readOn()
        .catch((error: unknown) => report({ kind: 'inbox-failed', error }))
        .finally(() => (pumping = undefined));
      await pumping;
    },
    async *replay(after, limit) {
      const until = cursor;
      let at = after;
      for (let left = limit; at < Math.min(until, recentAfter) && left > 0; ) {
        const page = await inbox.publications(at, Math.min(left, pageSize));
        for (const publication of page) {
          if (publication.cursor > until) return;
          at = publication.cursor;
          yield await prepare(publication);
        }
        left -= page.length;
        if (page.length === 0) break;
      }
      // Also beyond the limit, where the newest are worth most. A copy, for the list changes while the caller awaits.
      for (const publication of recent.filter((one) => one.cursor > at && one.cursor <= until))
        yield publication;
    },
    sleep() {
      state.isWanted = false;
      state.isAwake = false;
    },
  };
};
