import { defaultPageSize, type OperationName } from '@vitrine/contract/service';
import { type Page, type PageRange, pageRangeOf, pageReply } from '../http/listPages.ts';
import { defineOperation, type Operation } from '../service/operation.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/tenant.ts';

/** Rows of a tenant in order: those of a page, or all. */
type ReadRows = (services: Services, tenant: Tenant, range: PageRange | undefined) => Promise<Page<unknown>>;

/** Declares a list that is returned whole unless a page is requested. */
export const defineWholeList = (
  operationId: Extract<OperationName, `list${'Roles' | 'OrganizationUnits' | 'Items' | 'Tasks' | 'Links'}`>,
  read: ReadRows,
): Operation =>
  defineOperation(operationId, async ({ services, tenant, query: { page, pageSize } }) => {
    const isWhole = page === undefined && pageSize === undefined;
    const range = isWhole
      ? undefined
      : pageRangeOf({ page: page ?? 1, pageSize: pageSize ?? defaultPageSize });
    return pageReply(range, await read(services, tenant, range));
  });
