import type { z } from 'zod';
import { operations, runOperation } from '../admin/operations.ts';
import { readUserPage } from '../admin/users/readUsers.ts';
import { notFound } from '../http/portalFailure.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/tenant.ts';
import type { consoleListSchema } from './controlSchemas.ts';
import { readExtraFields } from './readExtraFields.ts';

type Row = Readonly<Record<string, unknown>>;

interface ListBody {
  readonly items: readonly Row[];
  readonly totalCount: number;
}

/** A page of a list for the console. */
export interface ConsoleList extends ListBody {
  readonly page: number;
  readonly pageSize: number;
  /** Number of rows that a search read, if the list has more. */
  readonly searchedRows?: number;
}

/** The actor of console operations on a tenant. */
const consoleKey = { id: 0, name: 'Console', permissions: [], userId: null, userEmail: null };

/** Context of a console call. */
export interface ConsoleCall {
  readonly services: Services;
  readonly tenant: Tenant;
  readonly request: PortalRequest;
}

/** The call of an operation by the console, which needs no API key. */
export const consoleCall = (
  { services, tenant, request }: ConsoleCall,
  params: Readonly<Record<string, string>>,
) => ({
  services,
  tenant,
  apiKey: { ...consoleKey, tenantId: tenant.id },
  request,
  params,
});

/** Maximum number of newest rows that a search reads: an audit log may have millions. All users are searched. */
const searchedRows = 5000;

/** A page of a tenant's list, filtered by the search text, if any. */
export const readConsoleList = async (
  call: ConsoleCall,
  name: string,
  { search, page, pageSize }: z.output<typeof consoleListSchema>,
): Promise<ConsoleList> => {
  const operation = operations.find((one) => one.method === 'GET' && one.path === `/v1/${name}`);
  if (operation === undefined) throw notFound('The list', 'name');
  const isUsers = name === 'users';
  const rowsPerPage = isUsers ? 2000 : 200;
  const readPage = async (wanted: number, size: number): Promise<ListBody> => {
    // Not over JSON, with which a search among a hundred thousand users takes seconds.
    if (isUsers)
      return readUserPage(call.services.db, call.tenant.id, {
        page: wanted,
        pageSize: size,
        offset: (wanted - 1) * size,
      });
    const query = new URLSearchParams({ page: String(wanted), pageSize: String(size) });
    const reply = await runOperation(
      operation,
      consoleCall({ ...call, request: { ...call.request, query } }, {}),
    );
    // The common shape of the portal's lists.
    return JSON.parse(String(reply.body)) as ListBody;
  };
  const extras = await readExtraFields(call.services.db, call.tenant.id, name);
  const withExtras = (rows: readonly Row[]) => rows.map((row) => ({ ...row, ...extras.get(row['id']) }));
  if (search === undefined || search === '') {
    const { items, totalCount } = await readPage(page, pageSize);
    return { items: withExtras(items), totalCount, page, pageSize };
  }
  const wanted = search.toLowerCase();
  const found: Row[] = [];
  let read = 0;
  let total = Number.POSITIVE_INFINITY;
  const limit = isUsers ? Number.POSITIVE_INFINITY : searchedRows;
  for (let next = 1; read < Math.min(total, limit); next += 1) {
    const { items, totalCount } = await readPage(next, rowsPerPage);
    read += items.length;
    total = items.length === 0 ? read : totalCount;
    found.push(
      ...withExtras(items).filter((row) =>
        Object.values(row).some((value) => JSON.stringify(value).toLowerCase().includes(wanted)),
      ),
    );
  }
  return {
    items: found.slice((page - 1) * pageSize, page * pageSize),
    totalCount: found.length,
    page,
    pageSize,
    ...(read < total && { searchedRows: read }),
  };
};
