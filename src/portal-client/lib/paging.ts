import { PortalError } from './errors.ts';
import type { HttpFacts } from './http.ts';
import { rowIdentity } from './rows.ts';

/** One page of a list. */
export type ListPage<TRow> = HttpFacts & {
  /** Rows of this page that were on no earlier page. */
  readonly rows: readonly TRow[];
  /** Total number of rows, if the service states it. */
  readonly total: number | undefined;
};

/**
 * A list that is read page by page during iteration, and not before. Every row is yielded once. If the rows do not add
 * up to the total, it ends with a `PortalError` of kind `paging`. The client's deadline applies to each page.
 */
export interface PortalList<TRow> extends AsyncIterable<TRow> {
  /** The pages of the list, with their HTTP facts. */
  readonly pages: () => AsyncIterable<ListPage<TRow>>;
}

/** Query of one page request. */
export type PageQuery = Readonly<Record<string, string | number | undefined>>;

/** A list and how to read it. */
export interface ListSource<TRow> {
  readonly path: string;
  /** Reads one page, with all of its rows. */
  readonly fetchPage: (query: PageQuery) => Promise<ListPage<TRow>>;
  /** Whether the list has pages; other lists return all rows at once. */
  readonly isPaged: boolean;
  /**
   * Rows are only added to such a list (the audit log): the rows from the start are complete, whatever was added since.
   */
  readonly isAppendOnly: boolean;
  readonly pageSize: number;
  readonly firstPage: 0 | 1;
}

const maxPasses = 3;

/**
 * Creates a list over a source. It trusts nothing that it can check: rows are compared by identifier, repeated pages are
 * ignored, and at the end the rows are compared with the total. If rows moved between pages, it reads the list again for
 * missing ones, at most three times; then it fails.
 */
export const portalList = <TRow extends object>(source: ListSource<TRow>): PortalList<TRow> => {
  async function* pages(): AsyncGenerator<ListPage<TRow>, void, undefined> {
    const given = new Set<string>();
    // In the first pass, what was read is what was yielded.
    if (yield* readPass(source, given, given)) return;
    for (let passes = 2; passes <= maxPasses; passes += 1)
      if (yield* readPass(source, given, new Set())) return;
    throw pagingError(
      source.path,
      'rows_moved',
      `changed while its pages were read, ${maxPasses} times in a row, so rows may be missing. Try again at a quieter time.`,
    );
  }
  async function* rows(): AsyncGenerator<TRow, void, undefined> {
    // Not yield*, which costs three promises for each row.
    for await (const page of pages()) for (const row of page.rows) yield row;
  }
  return { [Symbol.asyncIterator]: rows, pages };
};

/**
 * Reads the pages of one pass, and yields the rows that are not in `given`; returns whether the list is complete, or
 * false if its rows moved. Throws if rows are missing, or too many.
 */
async function* readPass<TRow extends object>(
  source: ListSource<TRow>,
  given: Set<string>,
  read: Set<string>,
): AsyncGenerator<ListPage<TRow>, boolean, undefined> {
  const { path, isPaged, isAppendOnly, firstPage, pageSize } = source;
  const totals: number[] = [];
  let hasMoved = false;
  for (let number: number = firstPage; ; number += 1) {
    const query = isPaged ? { page: number, pageSize } : {};
    const page = await source.fetchPage(query);
    if (page.total !== undefined) totals.push(page.total);
    const keys = page.rows.map(rowIdentity);
    const fresh = keys.filter((key) => !read.has(key));
    if (fresh.length > 0 && fresh.length < keys.length) hasMoved = true;
    const unseen = new Set(fresh.filter((key) => !given.has(key)));
    for (const key of fresh) read.add(key);
    for (const key of unseen) given.add(key);
    const rows = page.rows.filter((_, index) => unseen.has(keys[index] ?? ''));
    yield { ...page, rows, total: totals.at(-1) };
    const isFull = read.size >= (totals.at(-1) ?? Number.POSITIVE_INFINITY);
    if (!isPaged || isFull || fresh.length === 0) break;
  }

  const total = isAppendOnly ? totals[0] : totals.at(-1);
  if (new Set(totals).size > 1) hasMoved = true;
  if (total === undefined || (isAppendOnly && read.size >= total)) return true;
  if (hasMoved || read.size === total) return !hasMoved;
  throw pagingError(
    path,
    'count_mismatch',
    `returned ${read.size} different rows on all pages, but reports a total of ${total}. The service may ignore or cap page and pageSize: try a smaller pageSize, or firstPage: 0.`,
  );
}

const pagingError = (path: string, code: string, problem: string): PortalError =>
  new PortalError(`GET ${path} ${problem}`, { kind: 'paging', code });
