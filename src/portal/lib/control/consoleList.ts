import { z } from 'zod';
import type { Place } from '../database/tenantRows.ts';
import { maxRowId, type Page, wholeNumber } from '../http/listPages.ts';
import { notFound } from '../http/portalFailure.ts';
import { itemExtras } from '../resources/items.ts';
import { resourceRoutes } from '../resources/resourceRoutes.ts';
import { roleExtras } from '../resources/roles.ts';
import { type Route, type TenantCall, tenantRoute } from '../route.ts';
import { validate } from '../service/validate.ts';
import { controlRoutes } from './controlRoutes.ts';

type Row = Readonly<Record<string, unknown>>;
type ListAnswer = Pick<Page<Row>, 'items'> & Partial<Page<Row>>;

/** Fields that the console edits and the service's own lists omit, by list. */
const extraFields: Readonly<Record<string, (place: Place) => Promise<readonly Row[]>>> = {
  roles: roleExtras,
  items: itemExtras,
};

/** Maximum number of newest rows that a search reads: a log may have millions. All users are searched. */
const searchedRows = 5000;

const inOrder = new Intl.Collator('en', { numeric: true });
const orderText = (value: unknown) =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Sorts by a field; `-name` is descending. */
const sorted = (rows: readonly Row[], sort: string): Row[] => {
  const field = sort.replace(/^-/, '');
  const direction = sort === field ? 1 : -1;
  return rows.toSorted(
    (one, other) => direction * inOrder.compare(orderText(one[field]), orderText(other[field])),
  );
};

/** A page of a list of a tenant, or of the whole portal, for the console: filtered by the search text and sorted, if asked for. */
export const consoleList: Route = tenantRoute('GET /lists/{name}', 'A page of a list or of a search.', {
  query: z.strictObject({
    search: z.string().max(256).optional(),
    sort: z.string().max(64).optional(),
    /** Of the audit log. */
    userId: z.string().max(32).optional(),
    actionType: z.string().max(64).optional(),
    dateRange: z.string().max(64).optional(),
    page: wholeNumber(1, 999_999_999).default(1),
    pageSize: wholeNumber(1, 999_999_999).default(50),
  }),
  answer: [
    'ConsoleList',
    z.strictObject({
      items: z.array(z.record(z.string(), z.unknown())),
      totalCount: z.int(),
      page: z.int(),
      pageSize: z.int(),
      /** Number of rows that a search read, if the list has more. */
      searchedRows: z.int().optional(),
    }),
  ],
  handle: async (call) => {
    const { search = '', sort = '', page, pageSize, ...filter } = call.query;
    const name = call.params['name'] ?? '';
    const list = [...resourceRoutes, ...controlRoutes].find(
      ({ path, answer }) =>
        answer?.[0].endsWith('List') === true && [`/v1/${name}`, `/${name}`].includes(path),
    );
    if (list === undefined) throw notFound('The list', 'name');
    const place = { db: call.services.db, tenantId: call.tenant.id };
    const extras = new Map((await extraFields[name]?.(place))?.map((row) => [row['id'], row] as const));
    const filtered =
      Object.keys(filter).length > 0 && list.query ? (validate(list.query, filter) as object) : {};
    const isSearch = search !== '' || sort !== '';
    const isPaged = list.scope !== 'portal' && !isSearch;
    const paging = isPaged
      ? { page, pageSize }
      : { page: 1, pageSize: name === 'users' ? maxRowId : searchedRows };
    // Every list of a tenant takes a page, and a log takes a limit.
    const query = list.scope === 'portal' ? { limit: maxRowId } : { ...filtered, ...paging };
    const input = { ...call, body: undefined, query } as TenantCall<never, never>;
    const { items, totalCount = items.length } = (await list.handle(input)) as ListAnswer;
    const newestFirst = list.answer?.[0] === 'LogEntryList' ? items.toReversed() : items;
    const searched = isSearch && name !== 'users' ? newestFirst.slice(0, searchedRows) : newestFirst;
    const whole =
      extras.size === 0 ? searched : searched.map((row) => ({ ...row, ...extras.get(row['id']) }));
    const matching =
      search === ''
        ? whole
        : whole.filter((row) =>
            Object.values(row).some((value) =>
              JSON.stringify(value).toLowerCase().includes(search.toLowerCase()),
            ),
          );
    const ordered = sort === '' ? matching : sorted(matching, sort);
    return {
      items: isPaged ? ordered : ordered.slice((page - 1) * pageSize, page * pageSize),
      totalCount: isSearch ? matching.length : totalCount,
      page,
      pageSize,
      ...(isSearch && searched.length < totalCount && { searchedRows: searched.length }),
    };
  },
});
