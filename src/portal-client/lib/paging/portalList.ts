import { PortalError } from '../errors/portalError.ts';
import { type ListSource, type ReadPage, readPages } from './readPages.ts';

/** One page of a list. */
export interface ListPage<TRow> {
  /** Rows of this page that no earlier page held. */
  readonly rows: readonly TRow[];
  /** Rows of the whole list, when the service says so. */
  readonly total: number | undefined;
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  readonly attempts: number;
}

/**
 * A list that is read page by page as it is walked. Nothing is sent before. Every row comes once, and a list whose
 * rows do not add up to its total ends in a `PortalError` of kind `paging`, after the rows that could be read.
 * The deadline of the client holds for each page.
 */
export interface PortalList<TRow> extends AsyncIterable<TRow> {
  /** The list by pages, with the HTTP facts of each. */
  readonly pages: () => AsyncIterable<ListPage<TRow>>;
  /** The first rows in memory, `limit` at most: as many as the caller is ready to hold. */
  readonly toArray: (options: { readonly limit: number }) => Promise<TRow[]>;
}

/** A list over a source; the source is made again for every walk. */
export const portalList = <TRow>(open: () => ListSource<TRow>): PortalList<TRow> => {
  async function* rows(): AsyncGenerator<TRow, void, undefined> {
    for await (const page of readPages(open())) yield* page.rows;
  }
  async function* pages(): AsyncGenerator<ListPage<TRow>, void, undefined> {
    for await (const page of readPages(open())) yield toListPage(page);
  }
  return {
    [Symbol.asyncIterator]: rows,
    pages,
    // A caller without types may leave the options out.
    toArray: async (options: { readonly limit: number } | undefined) => {
      const limit = options?.limit;
      if (limit === undefined || !Number.isSafeInteger(limit) || limit < 1)
        throw new PortalError(
          `toArray needs a limit, a whole number from 1; ${limit === undefined ? 'it is missing' : `it was ${limit}`}. For a list of any length, use for await.`,
          { kind: 'config', code: 'bad_limit' },
        );
      const collected: TRow[] = [];
      for await (const row of rows()) {
        collected.push(row);
        if (collected.length >= limit) break;
      }
      return collected;
    },
  };
};

const toListPage = <TRow>({ rows, total, answer }: ReadPage<TRow>): ListPage<TRow> => ({
  rows,
  total,
  status: answer.status,
  headers: answer.headers,
  requestId: answer.stats.requestId,
  attempts: answer.stats.attempts,
});
