import { defaultPageSize, maxPageSize } from '@vitrine/contract/service';
import { z } from 'zod';
import { chosen, stated } from '../provenances.ts';
import { jsonReply, type PortalReply } from './portalReply.ts';
import { maxRowId } from './rowId.ts';

/** A whole number in a query, as digits. Documented as a number. */
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .meta({ type: 'integer', pattern: undefined, minimum: least, maximum: most })
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be between ${least} and ${most}`);

/** An internal number in a query. */
export const idInQuery = wholeNumber(1, maxRowId);

const page = wholeNumber(1, 10_000_000);
const pageSize = wholeNumber(1, maxPageSize);

/** Paging of the lists that are always paged: `GET /v1/audit-logs` (docs/interface.md#4.5, #8), and `GET /v1/users` like it. */
export const pagingSchema = z.strictObject({
  page: stated('4.5', page.default(1), 'Page number, from 1.'),
  pageSize: stated(
    '4.5, 8',
    pageSize.default(defaultPageSize),
    `Results per page; default ${defaultPageSize}, maximum ${maxPageSize}.`,
  ),
});

/** Paging of the lists that return all rows unless one of the two is given. */
export const optionalPagingSchema = z.strictObject({
  page: chosen(page.optional(), 'Page number, from 1. Without page and pageSize, the list is complete.'),
  pageSize: chosen(pageSize.optional(), `Results per page, at most ${maxPageSize}.`),
});

/** A page of a list, and its paging. */
export interface PageRange {
  readonly page: number;
  readonly pageSize: number;
  readonly offset: number;
}

/** Offset of a page. */
export const pageRangeOf = ({ page, pageSize }: { page: number; pageSize: number }): PageRange => ({
  page,
  pageSize,
  offset: (page - 1) * pageSize,
});

/** Rows of a page, and the total number of rows. */
export interface Page<TItem> {
  readonly items: readonly TItem[];
  readonly totalCount: number;
}

/** Cuts a page from all rows. Without paging, the page has all rows. */
export const sliceRows = <TItem>(rows: readonly TItem[], range: PageRange | undefined): Page<TItem> => ({
  items: range === undefined ? rows : rows.slice(range.offset, range.offset + range.pageSize),
  totalCount: rows.length,
});

/** The response of a list; without paging, it is one page. */
export const pageReply = <TItem>(
  range: PageRange | undefined,
  { items, totalCount }: Page<TItem>,
): PortalReply =>
  jsonReply(200, {
    items,
    totalCount,
    page: range?.page ?? 1,
    pageSize: range?.pageSize ?? Math.max(items.length, 1),
  });

/** Body of every list, for the documentation. */
export const listSchema = <TSchema extends z.ZodType>(item: TSchema) =>
  z.strictObject({
    items: chosen(z.array(item), 'The rows of this page.'),
    totalCount: chosen(z.int(), 'Number of rows on all pages.'),
    page: chosen(z.int(), 'Number of this page, from 1.'),
    pageSize: chosen(z.int(), 'Rows per page.'),
  });
