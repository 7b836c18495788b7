import { defaultPageSize, maxPageSize } from '@vitrine/contract';
import { z } from 'zod';
import { chosen, stated } from '../openapi/provenance.ts';

/** A whole number in a query: digits and nothing else. Documented as the number it is. */
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'must be a whole number')
    .meta({ type: 'integer', pattern: undefined, minimum: least, maximum: most })
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be between ${least} and ${most}`);

/** Largest internal number a query may name: that of a 4-byte integer column. */
const maxId = 2_147_483_647;

/** An internal number in a query. */
export const idInQuery = wholeNumber(1, maxId);

const page = wholeNumber(1, 10_000_000);
const pageSize = wholeNumber(1, maxPageSize);

/** Paging of `GET /v1/audit-logs` (interface 4.5, 8). */
export const auditPagingSchema = {
  page: stated('4.5', page.default(1), 'Page number, from 1.'),
  pageSize: stated(
    '4.5, 8',
    pageSize.default(defaultPageSize),
    `Results per page; default ${defaultPageSize}, maximum ${maxPageSize}.`,
  ),
};

/** Paging of `GET /v1/users`. */
export const usersPagingSchema = z.strictObject({
  page: chosen(page.default(1), 'Page number, from 1.'),
  pageSize: chosen(
    pageSize.default(defaultPageSize),
    `Results per page; default ${defaultPageSize}, maximum ${maxPageSize}.`,
  ),
});

/** Paging of the lists that answer with every row unless one of the two is given. */
export const optionalPagingSchema = z.strictObject({
  page: chosen(page.optional(), 'Page number, from 1. Without page and pageSize the list is whole.'),
  pageSize: chosen(pageSize.optional(), `Results per page, at most ${maxPageSize}.`),
});

/** A part of a list and how it was cut. */
export interface Cut {
  readonly page: number;
  readonly pageSize: number;
  readonly offset: number;
}

/** Where a page starts. */
export const cutOf = ({ page, pageSize }: { page: number; pageSize: number }): Cut => ({
  page,
  pageSize,
  offset: (page - 1) * pageSize,
});

/** Body of every list of the portal. */
export interface ListBody<TItem> {
  readonly items: readonly TItem[];
  readonly totalCount: number;
  readonly page: number;
  readonly pageSize: number;
}

/** Schema of {@link ListBody} for the documentation. */
export const listSchema = <TSchema extends z.ZodType>(item: TSchema) =>
  z.strictObject({
    items: chosen(z.array(item), 'The rows of this page.'),
    totalCount: chosen(z.int(), 'Rows of all pages together.'),
    page: chosen(z.int(), 'Number of this page, from 1.'),
    pageSize: chosen(z.int(), 'Rows per page.'),
  });

/** Cuts a list that is already whole, if the caller asked for a page. */
export const cutWhole = <TItem>(
  items: readonly TItem[],
  asked: { readonly page?: number | undefined; readonly pageSize?: number | undefined },
): ListBody<TItem> => {
  if (asked.page === undefined && asked.pageSize === undefined)
    return { items, totalCount: items.length, page: 1, pageSize: Math.max(items.length, 1) };
  const cut = cutOf({ page: asked.page ?? 1, pageSize: asked.pageSize ?? defaultPageSize });
  return {
    items: items.slice(cut.offset, cut.offset + cut.pageSize),
    totalCount: items.length,
    page: cut.page,
    pageSize: cut.pageSize,
  };
};
