import { defaultPageSize } from '@vitrine/contract';
import type { z } from 'zod';
import {
  type Cut,
  cutOf,
  listSchema,
  optionalPagingSchema,
  type Page,
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
  readonly read: (services: Services, tenant: Tenant, cut: Cut | undefined) => Promise<Page<unknown>>;
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
      const cut = isWhole ? undefined : cutOf({ page: page ?? 1, pageSize: pageSize ?? defaultPageSize });
      return pageReply(cut, await read(services, tenant, cut));
    },
  });
