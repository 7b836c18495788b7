import { type Check, reads, writes } from '../check.ts';
import type { AdminRequest, CheckContext } from '../createContext.ts';
import { must, need } from '../difference.ts';
import { type Fields, idOf, isSuccess, queryOf, readListing } from '../readers.ts';
import { createUser, userPath } from './people.ts';

type Query = Parameters<typeof queryOf>[0];

/** One page of the audit log. */
export const readAudit = async ({ admin }: CheckContext, query: Query = {}, request: AdminRequest = {}) =>
  readListing(await admin('GET', `/v1/audit-logs${queryOf(query)}`, request));

const textOf = (record: Fields, names: readonly string[]): string | undefined => {
  const name = names.find((candidate) => typeof record[candidate] === 'string');
  return name === undefined ? undefined : String(record[name]);
};

/** When an event happened; `undefined` if no known field has a time. */
export const timeOf = (record: Fields): number | undefined => {
  const time = Date.parse(
    textOf(record, ['timestamp', 'time', 'createdAt', 'date', 'executionTime', 'occurredAt']) ?? '',
  );
  return Number.isNaN(time) ? undefined : time;
};

/** Event type of a record; `undefined` if no known field has one. */
export const actionTypeOf = (record: Fields): string | undefined =>
  textOf(record, ['actionType', 'type', 'eventType', 'action']);

const instantOf = (timeMs: number): string => new Date(timeMs).toISOString();
const dayMs = 86_400_000;

/** A filter of the list: which value a record has, and one that no record can have. */
const filters = [
  {
    name: 'userId',
    states: 'of the user with this internal ID',
    quotes: ['| userId | integer | Only events of the user with this internal ID |'],
    valueOf: ({ userId }: Fields): string | number | undefined =>
      typeof userId === 'number' ? userId : undefined,
    others: [2_147_480_000, 'north'],
  },
  {
    name: 'actionType',
    states: 'of this type',
    quotes: [
      '| actionType | string | Only events of this event type |',
      '6.2: filterable by actionType',
      '6.2: Example types: UserCreated, RoleUpdated, ReportExported.',
    ],
    valueOf: actionTypeOf as (record: Fields) => string | number | undefined,
    others: ['NoSuchEvent'],
  },
] as const;

export const auditChecks: readonly Check[] = [
  reads(
    '4.5 GET /v1/audit-logs returns a paginated list of administrative events',
    [
      'GET /v1/audit-logs returns a paginated list of administrative events.',
      '1: An audit log endpoint returns administrative events as a paginated list.',
      '2.6: A record describes one administrative event.',
    ],
    async (context) => {
      const { rows } = await readAudit(context);
      need(rows.length > 0, 'needs an event in the audit log');
      for (const record of rows) must(Object.keys(record).length > 0, 'a record of an event', record);
    },
  ),
  ...filters.map(({ name, states, quotes, valueOf, others }) =>
    reads(`4.5 ${name} keeps only the events ${states}`, quotes, async (context) => {
      const all = (await readAudit(context, { pageSize: 200 })).rows;
      const value = all.map(valueOf).find((found) => found !== undefined);
      need(value !== undefined, `needs an event with its ${name}`);
      const { rows, total = 0 } = await readAudit(context, { [name]: value, pageSize: 200 });
      const foreign = rows.find((record) => valueOf(record) !== value);
      must(foreign === undefined, `only events with ${name} ${value}`, foreign);
      const expected = all.filter((record) => valueOf(record) === value).length;
      must(Math.max(rows.length, total) >= expected, `at least ${expected} events`, rows.length);
      for (const other of others) {
        const answer = await context.admin('GET', `/v1/audit-logs${queryOf({ [name]: other })}`);
        const isEmpty = !isSuccess(answer) || readListing(answer).rows.length === 0;
        must(isEmpty, `no event with ${name} ${other}`, answer.text);
      }
    }),
  ),
  reads(
    '4.5 dateRange in ISO 8601 form <start_date>/<end_date> keeps only the events within it',
    ['| dateRange | string | Range in ISO 8601 form: <start_date>/<end_date> |'],
    async (context) => {
      const times = (await readAudit(context, { pageSize: 200 })).rows
        .map(timeOf)
        .filter((time) => time !== undefined);
      need(times.length > 0, 'needs an event with a time');
      const [first, last] = [Math.min(...times), Math.max(...times)];
      const middle = Math.floor((first + last) / 2);
      for (const [start, end] of [
        [first - 1, middle],
        [middle, last + 1000],
        [last + dayMs, last + 2 * dayMs],
      ] as const) {
        const dateRange = `${instantOf(start)}/${instantOf(end)}`;
        const { rows } = await readAudit(context, { dateRange, pageSize: 200 });
        const outside = rows.map(timeOf).find((time) => time !== undefined && (time < start || time > end));
        must(outside === undefined, `events of ${dateRange}`, outside && instantOf(outside));
        const expected = times.filter((time) => time > start && time < end).length;
        must(rows.length >= Math.min(expected, 200), `at least ${expected} events`, rows.length);
      }
      const days = [last, last + dayMs].map((time) => instantOf(time).slice(0, 10)).join('/');
      for (const dateRange of [days, days.replaceAll('-', '')])
        must((await readAudit(context, { dateRange })).rows.length > 0, `events of ${dateRange}`, 'none');
    },
  ),
  reads(
    '4.5 page returns the pages in order, each with pageSize events and without repeating one',
    [
      '| page | integer | Page number |',
      '| pageSize | integer | Results per page; default 50, maximum 200 |',
    ],
    async (context) => {
      const { total = 0 } = await readAudit(context);
      need(total >= 15, 'needs fifteen events, and a total in the list');
      const pages = [];
      for (const page of [1, 2, 3]) pages.push((await readAudit(context, { page, pageSize: 5 })).rows);
      for (const rows of pages) must(rows.length === 5, '5 events', rows.length);
      const ids = pages.flat().map((record) => ('id' in record ? idOf(record) : JSON.stringify(record)));
      must(new Set(ids).size === ids.length, 'every event once', ids);
    },
  ),
  reads(
    '8 a page of the audit log has 50 events by default, and at most 200',
    ['| pageSize default | 50 | GET /v1/audit-logs |', '| pageSize maximum | 200 | GET /v1/audit-logs |'],
    async (context) => {
      const { rows, total } = await readAudit(context);
      const count = total ?? rows.length;
      need(count >= 50, 'needs 50 events or more in the audit log');
      must(rows.length === 50, '50 events', rows.length);
      need(count > 200, 'needs more than 200 events in the audit log');
      must((await readAudit(context, { pageSize: 200 })).rows.length === 200, '200 events', 'another number');
      for (const pageSize of [201, 1000]) {
        const answer = await context.admin('GET', `/v1/audit-logs?pageSize=${pageSize}`);
        const found = isSuccess(answer) ? readListing(answer).rows.length : 0;
        must(found <= 200, `a refusal of pageSize ${pageSize}, or at most 200 events`, found);
      }
    },
  ),
  writes(
    '6.2 creating a user is an event of type UserCreated',
    [
      'The audit log (4.5) holds administrative events filterable by actionType.',
      'Example types: UserCreated, RoleUpdated, ReportExported.',
    ],
    async (context) => {
      const before = (await readAudit(context, { actionType: 'UserCreated' })).total;
      need(before !== undefined, 'needs a total in the list');
      const user = await createUser(context);
      const after = (await readAudit(context, { actionType: 'UserCreated' })).total;
      await context.admin('DELETE', userPath(user));
      must(after === before + 1, 'one UserCreated more', { before, after });
    },
  ),
];
