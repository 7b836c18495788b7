import type { ActionsContext } from '../actionsContext.ts';
import { runOnChange } from '../runOnChange.ts';
import { type PreparedPublication, preparePublication } from './preparePublication.ts';

/** Options of {@link startPublicationFeed}. */
export interface PublicationFeedOptions {
  readonly pollMs: number;
  /** Maximum age of a delivered publication, in milliseconds. */
  readonly maxAgeMs: number;
  /** Called once for every new publication, in order, with the cursor of the one before it. */
  readonly onPublication: (publication: PreparedPublication, before: number) => void;
}

const pageSize = 128;
/** Maximum number of publications that a stalled reader keeps in memory. */
const maxHeldPublications = 16;
/** Maximum characters of recent publications kept for returning browsers. */
const maxRecentChars = 16 * 1024 * 1024;
/** Size of a publication without an audience. */
const overheadChars = 200;

/** Reads the inbox's new publications once for all streams of the process. */
export const startPublicationFeed = (
  context: ActionsContext,
  { pollMs, maxAgeMs, onPublication }: PublicationFeedOptions,
) => {
  const { inbox, now } = context;
  const recent: PreparedPublication[] = [];
  let recentChars = 0;
  /** Cursor before the first publication in `recent`. */
  let recentAfter = 0;
  let cursor = 0;
  let isReady = false;

  /** Reads a page of publications from the inbox. */
  const readPage = async (after: number): Promise<PreparedPublication[]> => {
    const page = await inbox.publications(after, pageSize);
    return page.map((publication) => preparePublication(publication, now() - maxAgeMs));
  };
  const remember = (publication: PreparedPublication): void => {
    recent.push(publication);
    recentChars += publication.size + overheadChars;
    while (recentChars > maxRecentChars) {
      const oldest = recent.shift();
      if (oldest === undefined) break;
      recentChars -= oldest.size + overheadChars;
      recentAfter = oldest.cursor;
    }
  };
  const run = async (): Promise<void> => {
    for (let page = isReady ? await readPage(cursor) : []; page.length > 0; page = await readPage(cursor))
      for (const publication of page) {
        const before = cursor;
        cursor = publication.cursor;
        remember(publication);
        onPublication(publication, before);
      }
  };
  const pump = runOnChange(context, { change: 'published', pollMs, run });
  const start = async (): Promise<void> => {
    cursor = await inbox.lastCursor();
    recentAfter = cursor;
    isReady = true;
    pump.wake();
  };

  return {
    /** Resolves when the newest cursor is known; rejects if the inbox fails. */
    ready: start(),
    /** Cursor of the last publication passed to `onPublication`. */
    get cursor() {
      return cursor;
    },
    /** The next few publications after a cursor, up to the feed's: the recent ones from memory. */
    async read(after: number): Promise<readonly PreparedPublication[]> {
      if (after < recentAfter)
        return (await readPage(after)).filter((publication) => publication.cursor <= cursor);
      const first = recent.findLastIndex((publication) => publication.cursor <= after) + 1;
      return recent.slice(first, first + maxHeldPublications);
    },
    stop: () => void pump.stop(),
  };
};

/** The publications of the inbox. */
export type PublicationFeed = ReturnType<typeof startPublicationFeed>;
