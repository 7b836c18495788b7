import type { z } from 'zod';
import { jsonReply } from '../http/exchange.ts';
import { defineOperation, type Operation } from '../service/operation.ts';
import type { Services, Tenant } from '../services.ts';
import { cutWhole, listSchema, optionalPagingSchema } from './paging.ts';

/** A list that is answered whole, unless a page of it is asked for. */
export interface WholeList
  extends Pick<Operation, 'path' | 'operationId' | 'summary' | 'tag' | 'section' | 'permission'> {
  /** Schema of one row, as the portal returns it. */
  readonly row: z.ZodType;
  /** Every row of the tenant, in order. */
  readonly read: (services: Services, tenant: Tenant) => Promise<readonly unknown[]>;
}

/** Declares the GET operation of such a list. */
export const defineWholeList = ({ row, read, ...list }: WholeList): Operation =>
  defineOperation({
    ...list,
    method: 'GET',
    query: optionalPagingSchema,
    success: { status: 200, schema: listSchema(row) },
    handle: async ({ services, tenant, query }) =>
      jsonReply(200, cutWhole(await read(services, tenant), query)),
  });
