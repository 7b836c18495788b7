import type { OnDiagnostic } from '../diagnostics.ts';
import type { ActionInbox, Publication } from '../inbox/actionInbox.ts';
import { runOnChange } from '../runOnChange.ts';
import type { PreparedPublication } from './preparePublication.ts';

/** Options of {@link startPublicationFeed}. */
export interface PublicationFeedOptions {
  readonly inbox: ActionInbox;
  readonly pollMs: number;
  readonly onDiagnostic: OnDiagnostic;
  readonly prepare: (publication: Publication) => PreparedPublication;
  /** Gets every new publication once, in order, with the cursor of the one before it. */
  readonly onPublication: (publication: PreparedPublication, before: number) => void;
}

/** The inbox's publications, read once for all streams of the process. */
export interface PublicationFeed {
  /** Resolves when the newest publication is known; rejects when the inbox does not tell. */
  readonly ready: Promise<void>;
  /** Everything up to here has been given to `onPublication`. */
  readonly cursor: number;
  /** The next few publications after a cursor, up to {@link PublicationFeed.cursor}: the recent ones from memory. */
  readonly read: (after: number) => Promise<readonly PreparedPublication[]>;
  readonly stop: () => void;
}

const pageSize = 128;
/** Publications that a reader who has stopped reading keeps from leaving the memory. */
const fewAtOnce = 16;
/** Characters of recent publications that are kept for browsers that come back. */
const maxRecentChars = 16 * 1024 * 1024;
/** What a publication takes that is for nobody. */
const overheadChars = 200;

/** Starts to read at the newest publication. */
export const startPublicationFeed = (options: PublicationFeedOptions): PublicationFeed => {
  const { inbox, prepare, onPublication } = options;
  const recent: PreparedPublication[] = [];
  let recentChars = 0;
  /** Everything after this is in `recent`. */
  let recentAfter = 0;
  let cursor = 0;
  let isReady = false;

  const remember = (publication: PreparedPublication): void => {
    recent.push(publication);
    recentChars += publication.text.length + overheadChars;
    while (recentChars > maxRecentChars) {
      const oldest = recent.shift();
      if (oldest === undefined) break;
      recentChars -= oldest.text.length + overheadChars;
      recentAfter = oldest.cursor;
    }
  };
  const run = async (): Promise<void> => {
    if (!isReady) return;
    for (let hasMore = true; hasMore; ) {
      const page = await inbox.publications(cursor, pageSize);
      hasMore = page.length > 0;
      for (const publication of page.map(prepare)) {
        const before = cursor;
        cursor = publication.cursor;
        remember(publication);
        onPublication(publication, before);
      }
    }
  };
  const pump = runOnChange({ ...options, change: 'published', run });
  const start = async (): Promise<void> => {
    cursor = await inbox.lastCursor();
    recentAfter = cursor;
    isReady = true;
    pump.wake();
  };

  return {
    ready: start(),
    get cursor() {
      return cursor;
    },
    async read(after) {
      if (after < recentAfter) {
        const page = await inbox.publications(after, pageSize);
        return page.filter((publication) => publication.cursor <= cursor).map(prepare);
      }
      const first = recent.findLastIndex((publication) => publication.cursor <= after) + 1;
      return recent.slice(first, first + fewAtOnce);
    },
    stop: () => void pump.stop(),
  };
};
