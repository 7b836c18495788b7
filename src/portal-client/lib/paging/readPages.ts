import { isPortalError } from '../errors/portalError.ts';
import type { HttpResponse } from '../http/http.ts';
import type { RawPage } from '../http/readList.ts';
import { countMismatch, endlessPages, rowsMoved } from './pagingErrors.ts';
import { rowKeys } from './rowKeys.ts';

/** Query of one page request. */
export type PageQuery = Readonly<Record<string, string | number | undefined>>;

/** A list and how to read it. */
export interface ListSource<TRow> {
  readonly path: string;
  readonly fetchPage: (
    query: PageQuery,
  ) => Promise<{ readonly page: RawPage; readonly response: HttpResponse }>;
  readonly readRow: (raw: unknown) => TRow;
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

/** New rows, with the response that contained them. */
export interface ReadPage<TRow> {
  readonly rows: readonly TRow[];
  readonly total: number | undefined;
  readonly response: HttpResponse;
}

const maxPasses = 3;
const maxPages = 100_000;

/**
 * Reads a list to its end and yields every row once. It trusts nothing that it can check: rows are compared by
 * identifier, repeated pages are ignored, and at the end the rows are compared with the total. If rows moved between
 * pages, it reads the list again for missing ones, at most three times; then it fails.
 */
export async function* readPages<TRow>(
  source: ListSource<TRow>,
): AsyncGenerator<ReadPage<TRow>, void, undefined> {
  const given = new Set<string>();
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    const isComplete = yield* readPass(source, given);
    if (isComplete) return;
  }
  throw rowsMoved(source.path, maxPasses);
}

/** The state of one pass over the pages. */
interface Pass {
  readonly keys: Set<string>;
  firstTotal: number | undefined;
  total: number | undefined;
  /** Totals differed, or a page had rows of an earlier one among new ones. */
  hasMoved: boolean;
}

async function* readPass<TRow>(
  source: ListSource<TRow>,
  given: Set<string>,
): AsyncGenerator<ReadPage<TRow>, boolean, undefined> {
  const pass: Pass = { keys: new Set(), firstTotal: undefined, total: undefined, hasMoved: false };
  let query: PageQuery = source.isPaged ? { page: source.firstPage, pageSize: source.pageSize } : {};
  let number = source.firstPage + (source.isPaged ? 1 : 0);
  let pageSize = source.pageSize;

  for (let count = 1; ; count += 1) {
    if (count > maxPages) throw endlessPages(source.path, maxPages);
    const isProbe = !source.isPaged && count > 1;
    const { read, fresh, page } = yield* take(source, { query, pass, given, isProbe });
    if (page === undefined) break;
    if (page.next === null || (pass.total !== undefined && pass.keys.size >= pass.total)) break;
    // An unpaged list was capped, or has no total: request the following pages, with the same size.
    if (!source.isPaged && count === 1) pageSize = Math.max(1, read);
    if (page.next) {
      if (fresh === 0) break;
      query = page.next;
      continue;
    }
    const isFirstProbe = isProbe && count === 2;
    if (read === 0 || (fresh === 0 && !isFirstProbe)) break;
    query = { page: number, pageSize };
    number += 1;
  }
  if (isShort(pass, source) && source.firstPage === 1)
    // Too few rows, or no total: a service that counts pages from 0 has one before the first.
    yield* take(source, { query: { page: 0, pageSize }, pass, given, isProbe: true });
  return isConsistent(pass, source);
}

interface Step {
  readonly query: PageQuery;
  readonly pass: Pass;
  readonly given: Set<string>;
  /** A refusal of this request only means that there is no such page. */
  readonly isProbe: boolean;
}

async function* take<TRow>(
  source: ListSource<TRow>,
  { query, pass, given, isProbe }: Step,
): AsyncGenerator<ReadPage<TRow>, { read: number; fresh: number; page: RawPage | undefined }, undefined> {
  const fetched = await source.fetchPage(query).catch((error: unknown) => {
    if (isProbe && isPortalError(error) && (error.kind === 'invalid' || error.kind === 'not_found'))
      return undefined;
    throw error;
  });
  if (fetched === undefined) return { read: 0, fresh: 0, page: undefined };
  const { page, response } = fetched;
  if (page.total !== undefined) {
    pass.firstTotal ??= page.total;
    if (pass.total !== undefined && pass.total !== page.total) pass.hasMoved = true;
    pass.total = page.total;
  }
  const rows = page.rows.map(source.readRow);
  const keys = rowKeys(rows, source.idOf);
  const isNew = keys.map((key) => {
    if (pass.keys.has(key)) return false;
    pass.keys.add(key);
    return true;
  });
  const fresh = isNew.filter(Boolean).length;
  if (fresh > 0 && fresh < rows.length) pass.hasMoved = true;
  const unseen = rows.filter((_, index) => {
    const key = keys[index];
    if (key === undefined || given.has(key)) return false;
    given.add(key);
    return true;
  });
  if (unseen.length > 0 || !isProbe) yield { rows: unseen, total: pass.total, response };
  return { read: rows.length, fresh, page };
}

const isShort = (pass: Pass, source: { readonly isPaged: boolean }): boolean =>
  pass.total === undefined ? source.isPaged : pass.keys.size < pass.total;

const isConsistent = <TRow>(pass: Pass, source: ListSource<TRow>): boolean => {
  if (pass.total === undefined) return true;
  const expected = source.isAppendOnly ? (pass.firstTotal ?? 0) : pass.total;
  const collected = pass.keys.size;
  if (source.isAppendOnly ? collected >= expected : collected === expected && !pass.hasMoved) return true;
  if (pass.hasMoved) return false;
  throw countMismatch({ path: source.path, collected, total: expected });
};
