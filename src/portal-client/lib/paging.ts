import { isPortalError, PortalError } from './errors.ts';
import type { HttpResponse } from './http.ts';
import type { RawPage } from './responses.ts';
import { digestOf } from './rows.ts';

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

/** Query of one page request. */
export type PageQuery = Readonly<Record<string, string | number | undefined>>;

/** A list and how to read it. */
export interface ListSource<TRow> {
  readonly path: string;
  readonly fetchPage: (
    query: PageQuery,
  ) => Promise<{ readonly page: RawPage; readonly response: HttpResponse }>;
  readonly readRow: (raw: unknown, response: HttpResponse) => TRow;
  readonly idOf: (row: TRow) => string | undefined;
  /** Whether the first request has a page number; lists that return all rows at once are requested without. */
  readonly isPaged: boolean;
  /**
   * Rows are only added to such a list (the audit log): the rows from the start are complete, whatever was added since.
   */
  readonly isAppendOnly: boolean;
  readonly pageSize: number;
  readonly firstPage: 0 | 1;
}

const maxPasses = 3;
const maxPages = 100_000;

/**
 * Creates a list over a source. It trusts nothing that it can check: rows are compared by identifier, repeated pages are
 * ignored, and at the end the rows are compared with the total. If rows moved between pages, it reads the list again for
 * missing ones, at most three times; then it fails.
 */
export const portalList = <TRow>(source: ListSource<TRow>): PortalList<TRow> => {
  async function* pages(): AsyncGenerator<ListPage<TRow>, void, undefined> {
    const given = new Set<string>();
    for (let passes = 1; passes <= maxPasses; passes += 1) if (yield* readPass(source, given)) return;
    throw pagingError(
      source.path,
      'rows_moved',
      `changed while its pages were read, ${maxPasses} times in a row, so rows may be missing. Try again at a quieter time.`,
    );
  }
  async function* rows(): AsyncGenerator<TRow, void, undefined> {
    for await (const page of pages()) yield* page.rows;
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

/** Collects all values in memory, for small lists. */
export const collect = async <TValue>(
  values: Iterable<TValue> | AsyncIterable<TValue>,
): Promise<TValue[]> => {
  const collected: TValue[] = [];
  for await (const value of values) collected.push(value);
  return collected;
};

/** The state of one pass over the pages. */
interface Pass {
  readonly keys: Set<string>;
  firstTotal: number | undefined;
  total: number | undefined;
  /** Totals differed, or a page had rows of an earlier one among new ones. */
  hasMoved: boolean;
  /** Whether the last page names a further one, in a header that is not followed. */
  hasNext: boolean;
}

/** Reads the pages of one pass; returns whether the list is complete. */
async function* readPass<TRow>(
  source: ListSource<TRow>,
  given: Set<string>,
): AsyncGenerator<ListPage<TRow>, boolean, undefined> {
  const { isPaged, firstPage } = source;
  const pass: Pass = {
    keys: new Set(),
    firstTotal: undefined,
    total: undefined,
    hasMoved: false,
    hasNext: false,
  };
  let { pageSize } = source;
  let query: PageQuery = isPaged ? { page: firstPage, pageSize } : {};
  let number = firstPage + (isPaged ? 1 : 0);

  for (let count = 1; ; count += 1) {
    if (count > maxPages)
      throw pagingError(
        source.path,
        'endless',
        `still returned new rows after ${maxPages} pages; reading was stopped.`,
      );
    const isProbe = !isPaged && count > 1;
    const { read, fresh } = yield* readPage(source, { query, pass, given, isProbe });
    if (pass.total !== undefined && pass.keys.size >= pass.total) break;
    // An unpaged list was capped, or has no total: request the following pages, with the same size.
    if (!isPaged && count === 1) pageSize = Math.max(1, read);
    if (read === 0 || (fresh === 0 && !(isProbe && count === 2))) break;
    query = { page: number, pageSize };
    number += 1;
  }
  const isShort = pass.total === undefined ? isPaged : pass.keys.size < pass.total;
  if (isShort && firstPage === 1)
    // Too few rows, or no total: a service that counts pages from 0 has one before the first.
    yield* readPage(source, { query: { page: 0, pageSize }, pass, given, isProbe: true });
  return isComplete(source, pass);
}

interface Step {
  readonly query: PageQuery;
  readonly pass: Pass;
  readonly given: Set<string>;
  /** A refusal of this request only means that there is no such page. */
  readonly isProbe: boolean;
}

async function* readPage<TRow>(
  source: ListSource<TRow>,
  { query, pass, given, isProbe }: Step,
): AsyncGenerator<ListPage<TRow>, { read: number; fresh: number }, undefined> {
  const fetched = await source.fetchPage(query).catch((error: unknown) => {
    if (isProbe && isPortalError(error) && (error.kind === 'invalid' || error.kind === 'not_found'))
      return undefined;
    throw error;
  });
  if (fetched === undefined) return { read: 0, fresh: 0 };
  const { page, response } = fetched;
  const { total } = page;
  pass.firstTotal ??= total;
  if (total !== undefined && pass.total !== undefined && pass.total !== total) pass.hasMoved = true;
  pass.total = total ?? pass.total;
  if (!isProbe) pass.hasNext = /rel="?next\b/i.test(response.headers['link'] ?? '');
  const rows = page.rows.map((raw) => source.readRow(raw, response));
  const keyed = rowKeys(rows, source.idOf).map((key, index) => ({ key, index }));
  const fresh = keyed.filter(({ key }) => !pass.keys.has(key));
  if (fresh.length > 0 && fresh.length < rows.length) pass.hasMoved = true;
  for (const { key } of fresh) pass.keys.add(key);
  const unseen = new Set(fresh.filter(({ key }) => !given.has(key)).map(({ index }) => index));
  for (const { key } of fresh) given.add(key);
  const { status, headers, stats } = response;
  if (unseen.size > 0 || !isProbe)
    yield {
      rows: rows.filter((_, index) => unseen.has(index)),
      total: pass.total,
      status,
      headers,
      requestId: stats.requestId,
      attempts: stats.attempts,
    };
  return { read: rows.length, fresh: fresh.length };
}

/** Whether the rows add up to the total; false if they moved. Throws if rows are missing, or too many. */
const isComplete = (
  { path, isAppendOnly }: { readonly path: string; readonly isAppendOnly: boolean },
  { keys, firstTotal = 0, total, hasMoved, hasNext }: Pass,
): boolean => {
  if (total === undefined && hasNext)
    throw pagingError(
      path,
      'next_link',
      'states no total, and names a further page in a Link header, which is not followed. Rows may be missing.',
    );
  if (total === undefined) return true;
  if (isAppendOnly ? keys.size >= firstTotal : keys.size === total && !hasMoved) return true;
  if (hasMoved) return false;
  throw pagingError(
    path,
    'count_mismatch',
    `returned ${keys.size} different rows on all pages, but reports a total of ${isAppendOnly ? firstTotal : total}. The service may ignore or cap page and pageSize: try a smaller pageSize, or firstPage: 0.`,
  );
};

const pagingError = (path: string, code: string, problem: string): PortalError =>
  new PortalError(`GET ${path} ${problem}`, { kind: 'paging', code, request: { method: 'GET', path } });

/**
 * Unique keys of the rows of a page: the identifier, or a digest of the whole row if it has none. Equal rows without an
 * identifier on one page are numbered, because they may be separate.
 */
export const rowKeys = <TRow>(
  rows: readonly TRow[],
  idOf: (row: TRow) => string | undefined,
): readonly string[] => {
  const repeats = new Map<string, number>();
  return rows.map((row) => {
    const id = idOf(row);
    if (id !== undefined) return `id:${id}`;
    const digest = digestOf(row);
    const repeat = (repeats.get(digest) ?? 0) + 1;
    repeats.set(digest, repeat);
    return `row:${digest}:${repeat}`;
  });
};
