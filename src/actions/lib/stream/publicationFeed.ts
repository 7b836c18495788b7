import type { OnDiagnostic } from '../diagnostics.ts';
import type { ActionInbox, Publication } from '../inbox/actionInbox.ts';
import type { PreparedPublication } from './preparePublication.ts';

/** Options of {@link createPublicationFeed}. */
export interface PublicationFeedOptions {
  readonly inbox: ActionInbox;
  readonly prepare: (publication: Publication) => PreparedPublication;
  /** Gets every new publication once, in order. */
  readonly onPublication: (publication: PreparedPublication) => void;
  readonly onDiagnostic: OnDiagnostic;
}

/** The inbox's publications, read once for all streams of the process. */
export interface PublicationFeed {
  /** Everything up to here has been given to `onPublication`. */
  readonly cursor: number;
  /** Starts at the newest publication; without streams nothing was read. */
  resume(): Promise<void>;
  /** Reads on. Calls during a read are kept for one more. */
  pump(): Promise<void>;
  /**
   * Publications after a cursor up to {@link PublicationFeed.cursor}: at most so many from the inbox, and those that are
   * recent from memory.
   */
  replay(after: number, limit: number): AsyncIterable<PreparedPublication>;
  /** Nobody listens any more: what is published now is read by those who return. */
  suspend(): void;
}

const pageSize = 128;
/** Characters of recent publications that are kept for browsers that come back. */
const maxRecentChars = 16 * 1024 * 1024;
/** What a publication takes that is for nobody. */
const overheadChars = 200;

const sizeOf = ({ text }: PreparedPublication): number => text.length + overheadChars;

/** Creates the feed, suspended. */
export const createPublicationFeed = (options: PublicationFeedOptions): PublicationFeed => {
  const { inbox, prepare, onPublication, onDiagnostic } = options;
  let recent: PreparedPublication[] = [];
  let recentChars = 0;
  /** Everything after this is in `recent`. */
  let recentAfter = 0;
  let cursor = 0;
  let resuming: Promise<void> | undefined;
  let pumping: Promise<void> | undefined;
  const state = { isActive: false, isWanted: false, hasMore: false };

  const remember = (publication: PreparedPublication): void => {
    recent.push(publication);
    recentChars += sizeOf(publication);
    while (recentChars > maxRecentChars) {
      const oldest = recent.shift();
      if (oldest === undefined) break;
      recentChars -= sizeOf(oldest);
      recentAfter = oldest.cursor;
    }
  };

  const readOn = async (): Promise<void> => {
    while (state.isActive && state.hasMore) {
      state.hasMore = false;
      const page = await inbox.publications(cursor, pageSize);
      // A page of large bodies is shorter.
      state.hasMore ||= page.length > 0;
      for (const publication of page) {
        const prepared = prepare(publication);
        if (!state.isActive) return;
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
    async resume() {
      state.isWanted = true;
      if (state.isActive) return;
      resuming ??= (async () => {
        try {
          await pumping;
          cursor = await inbox.lastCursor();
          recent = [];
          recentChars = 0;
          recentAfter = cursor;
          // Whoever it was resumed for may have left meanwhile; active it would believe that it knows where the log ends.
          state.isActive = state.isWanted;
        } finally {
          resuming = undefined;
        }
      })();
      await resuming;
    },
    async pump() {
      state.hasMore = true;
      if (!state.isActive) return;
      pumping ??= readOn()
        .catch((error: unknown) => onDiagnostic({ kind: 'inbox-failed', error }))
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
          yield prepare(publication);
        }
        left -= page.length;
        if (page.length === 0) break;
      }
      // Also beyond the limit, where the newest are worth most. A copy, for the list changes while the caller awaits.
      for (const publication of recent.filter((one) => one.cursor > at && one.cursor <= until))
        yield publication;
    },
    suspend() {
      state.isWanted = false;
      state.isActive = false;
    },
  };
};
