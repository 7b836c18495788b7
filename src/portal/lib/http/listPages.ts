import { defaultPageSize, maxPageSize } from '@vitrine/contract/service';
import { z } from 'zod';

/** A whole number in a query, as digits. Documented as a number. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .meta({ type: 'integer', pattern: undefined, minimum: least, maximum: most })
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be between ${least} and ${most}`);

/** Maximum number of a row: that of a 4-byte integer column. */
export const maxRowId = 2_147_483_647;

/** An internal number in a query. */
export const idInQuery = wholeNumber(1, maxRowId);

const page = wholeNumber(1, 10_000_000);
const pageSize = wholeNumber(1, maxPageSize);

/** Paging of `GET /v1/audit-logs` (docs/interface.md#4.5, #8) and, by our choice, of `GET /v1/users`. */
export const pagingSchema = z.strictObject({
  page: page.default(1).describe('Page number, from 1.'),
  pageSize: pageSize
    .default(defaultPageSize)
    .describe(`Results per page; default ${defaultPageSize}, maximum ${maxPageSize}.`),
});

/** Paging of the lists that return all rows unless one of the two is given. */
export const optionalPagingSchema = z.strictObject({
  page: page.optional().describe('Page number, from 1. Without page and pageSize, the list is complete.'),
  pageSize: pageSize.optional().describe(`Results per page, at most ${maxPageSize}.`),
});

/** The response that names a created row by its number. */
export const createdSchema = ['Created', z.strictObject({ id: z.int() })] as const;

/** A page of a list. */
export interface Page<TItem> {
  readonly items: readonly TItem[];
  /** Number of rows on all pages. */
  readonly totalCount: number;
  readonly page: number;
  readonly pageSize: number;
}

/** Body of every list, for the documentation. */
export const listSchema = <TSchema extends z.ZodType>(item: TSchema) =>
  z.strictObject({
    items: z.array(item).describe('The rows of this page.'),
    totalCount: z.int().describe('Number of rows on all pages.'),
    page: z.int().describe('Number of this page, from 1.'),
    pageSize: z.int().describe('Rows per page.'),
  });
