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

/** The route that returns the rows of a list. */
const routeOf = (name: string): Route => {
  const route = [...resourceRoutes, ...controlRoutes].find(
    ({ path, answer }) => answer?.[0].endsWith('List') === true && [`/v1/${name}`, `/${name}`].includes(path),
  );
  if (route === undefined) throw notFound('The list', 'name');
  return route;
};

/** Asks the route of a list, newest entries of a log first. A tenant's list takes a page; one of the portal is read whole. */
const readRows = async (
  list: Route,
  call: TenantCall<unknown, unknown>,
  asked: object,
): Promise<ListAnswer> => {
  const query = list.scope === 'portal' ? { limit: maxRowId } : asked;
  const answer = (await list.handle({ ...call, query } as TenantCall<never, never>)) as ListAnswer;
  return list.answer?.[0] === 'LogEntryList' ? { items: answer.items.toReversed() } : answer;
};

/** The rows of a list with the fields that only the console has. */
const withExtras = async (name: string, place: Place, rows: readonly Row[]): Promise<readonly Row[]> => {
  const extras = await extraFields[name]?.(place);
  if (extras === undefined) return rows;
  const byId = new Map(extras.map((row) => [row['id'], row]));
  return rows.map((row) => ({ ...row, ...byId.get(row['id']) }));
};

/** The rows with the text in any field, ignoring case. */
const matching = (rows: readonly Row[], search: string): readonly Row[] => {
  const has = (value: unknown) => JSON.stringify(value).toLowerCase().includes(search.toLowerCase());
  return search === '' ? rows : rows.filter((row) => Object.values(row).some(has));
};

const inOrder = new Intl.Collator('en', { numeric: true });
const orderText = (value: unknown) =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** The rows by a field; `-name` is descending. */
const sorted = (rows: readonly Row[], sort: string): readonly Row[] => {
  const field = sort.replace(/^-/, '');
  const direction = sort === field ? 1 : -1;
  const compare = (one: Row, other: Row) => inOrder.compare(orderText(one[field]), orderText(other[field]));
  return sort === '' ? rows : rows.toSorted((one, other) => direction * compare(one, other));
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
      /** Number of rows that a search read, if the list has more. */
      searchedRows: z.int().optional(),
    }),
  ],
  handle: async (call) => {
    const { search = '', sort = '', page, pageSize, ...filter } = call.query;
    const name = call.params['name'] ?? '';
    const list = routeOf(name);
    const isSearch = search !== '' || sort !== '';
    // The list pages itself only when its own order and all of its rows are asked for.
    const isPaged = list.scope !== 'portal' && !isSearch;
    const limit = name === 'users' ? maxRowId : searchedRows;
    const { items, totalCount = items.length } = await readRows(list, call, {
      ...(list.query && (validate(list.query, filter) as object)),
      ...(isPaged ? { page, pageSize } : { page: 1, pageSize: limit }),
    });
    const searched = isSearch ? items.slice(0, limit) : items;
    const place = { db: call.services.db, tenantId: call.tenant.id };
    const found = sorted(matching(await withExtras(name, place, searched), search), sort);
    return {
      items: isPaged ? found : found.slice((page - 1) * pageSize, page * pageSize),
      totalCount: isSearch ? found.length : totalCount,
      ...(isSearch && searched.length < totalCount && { searchedRows: searched.length }),
    };
  },
});
