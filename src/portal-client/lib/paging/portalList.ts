import { PortalError } from '../errors/portalError.ts';
import { type ListSource, type ReadPage, readPages } from './readPages.ts';

/** One page of a list. */
export interface ListPage<TRow> {
  /** Rows of this page that were on no earlier page. */
  readonly rows: readonly TRow[];
  /** Total number of rows, if the service states it. */
  readonly total: number | undefined;
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  readonly attempts: number;
}

/**
 * A list that is read page by page during iteration, and not before. Every row is yielded once. If the rows do not add
 * up to the total, it ends with a `PortalError` of kind `paging`. The client's deadline applies to each page.
 */
export interface PortalList<TRow> extends AsyncIterable<TRow> {
  /** The pages of the list, with their HTTP facts. */
  readonly pages: () => AsyncIterable<ListPage<TRow>>;
  /** The first rows as an array, at most `limit`. */
  readonly toArray: (options: { readonly limit: number }) => Promise<TRow[]>;
}

/** Creates a list over a source, which is opened again for every iteration. */
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
    // An untyped caller may omit the options.
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

const toListPage = <TRow>({ rows, total, response }: ReadPage<TRow>): ListPage<TRow> => ({
  rows,
  total,
  status: response.status,
  headers: response.headers,
  requestId: response.stats.requestId,
  attempts: response.stats.attempts,
});
