import { isPortalError } from '../errors/portalError.ts';
import type { HttpAnswer } from '../http/httpCall.ts';
import type { RawPage } from '../http/readList.ts';
import { countMismatch, endlessPages, rowsMoved } from './pagingErrors.ts';
import { rowKeys } from './rowKeys.ts';

/** Query of one page request. */
export type PageQuery = Readonly<Record<string, string | number | undefined>>;

/** A list and how to read it. */
export interface ListSource<TRow> {
  readonly path: string;
  readonly fetchPage: (query: PageQuery) => Promise<{ readonly page: RawPage; readonly answer: HttpAnswer }>;
  readonly readRow: (raw: unknown) => TRow;
  readonly idOf: (row: TRow) => string | undefined;
  /** Whether the first request already names a page; lists that give all rows at once are asked without. */
  readonly isPaged: boolean;
  /** Rows only join such a list (the audit log): what was there at the start is complete, whatever joined since. */
  readonly isAppendOnly: boolean;
  readonly pageSize: number;
  readonly firstPage: 0 | 1;
}

/** Rows that were not seen before, with the answer that brought them. */
export interface ReadPage<TRow> {
  readonly rows: readonly TRow[];
  readonly total: number | undefined;
  readonly answer: HttpAnswer;
}

const maxPasses = 3;
const maxPages = 100_000;

/**
 * Reads a list to its end and gives every row once. Nothing is believed that can be checked: rows are told apart by
 * identifier, a page that repeats is no progress, and at the end the rows are counted against the total. When rows
 * moved between pages the list is read again for what slipped through, three times at most; then it is an error.
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

/** What one pass over the pages has learned. */
interface Pass {
  readonly keys: Set<string>;
  firstTotal: number | undefined;
  total: number | undefined;
  /** Totals differed, or a page held rows of an earlier one beside new ones. */
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
    // A list given whole was capped, or says no total: ask for the pages behind it, by the size it gave.
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
    // Too few, or no total to compare with: a service that counts pages from 0 has one before the first.
    yield* take(source, { query: { page: 0, pageSize }, pass, given, isProbe: true });
  return judge(pass, source);
}

interface Step {
  readonly query: PageQuery;
  readonly pass: Pass;
  readonly given: Set<string>;
  /** A refusal of this request says that there is no such page, and nothing worse. */
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
  const { page, answer } = fetched;
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
  if (unseen.length > 0 || !isProbe) yield { rows: unseen, total: pass.total, answer };
  return { read: rows.length, fresh, page };
}

const isShort = (pass: Pass, source: { readonly isPaged: boolean }): boolean =>
  pass.total === undefined ? source.isPaged : pass.keys.size < pass.total;

const judge = <TRow>(pass: Pass, source: ListSource<TRow>): boolean => {
  if (pass.total === undefined) return true;
  const expected = source.isAppendOnly ? (pass.firstTotal ?? 0) : pass.total;
  const collected = pass.keys.size;
  if (source.isAppendOnly ? collected >= expected : collected === expected && !pass.hasMoved) return true;
  if (pass.hasMoved) return false;
  throw countMismatch({ path: source.path, collected, total: expected });
};
