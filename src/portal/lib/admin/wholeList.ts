import { defaultPageSize } from '@vitrine/contract';
import type { z } from 'zod';
import {
  listSchema,
  optionalPagingSchema,
  type Page,
  type PageRange,
  pageRangeOf,
  pageReply,
} from '../http/listPages.ts';
import { defineOperation, type Operation } from '../service/operation.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/tenant.ts';

/** A list that is returned whole unless a page is requested. */
export interface WholeList
  extends Pick<Operation, 'path' | 'operationId' | 'summary' | 'tag' | 'section' | 'permission'> {
  /** Schema of one row, as the portal returns it. */
  readonly row: z.ZodType;
  /** Rows of the tenant in order: those of a page, or all. */
  readonly read: (services: Services, tenant: Tenant, range: PageRange | undefined) => Promise<Page<unknown>>;
}

/** Declares the GET operation of such a list. */
export const defineWholeList = ({ row, read, ...list }: WholeList): Operation =>
  defineOperation({
    ...list,
    method: 'GET',
    query: optionalPagingSchema,
    success: { status: 200, schema: listSchema(row) },
    handle: async ({ services, tenant, query: { page, pageSize } }) => {
      const isWhole = page === undefined && pageSize === undefined;
      const range = isWhole
        ? undefined
        : pageRangeOf({ page: page ?? 1, pageSize: pageSize ?? defaultPageSize });
      return pageReply(range, await read(services, tenant, range));
    },
  });
