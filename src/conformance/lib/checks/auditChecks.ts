import { type Check, stated } from '../check.ts';
import type { AdminRequest, CheckContext } from '../createContext.ts';
import { must, need } from '../difference.ts';
import { type Fields, idOf, isSuccess, mustRefuse, queryOf, readListing } from '../readers.ts';
import { createUser, userPath } from './userChecks.ts';

type Query = Parameters<typeof queryOf>[0];

/** One page of the audit log. */
export const readAudit = async ({ admin }: CheckContext, query: Query = {}, request: AdminRequest = {}) =>
  readListing(await admin('GET', `/v1/audit-logs${queryOf(query)}`, request));

const timeNames = ['timestamp', 'time', 'createdAt', 'date', 'executionTime', 'occurredAt'];
const typeNames = ['actionType', 'type', 'eventType', 'action'];

const read = (record: Fields, names: readonly string[]): string | undefined => {
  const name = names.find((candidate) => typeof record[candidate] === 'string');
  return name === undefined ? undefined : String(record[name]);
};

/** When an event happened; `undefined` if no known field has a time. */
export const timeOf = (record: Fields): number | undefined => {
  const time = read(record, timeNames);
  return time === undefined || Number.isNaN(Date.parse(time)) ? undefined : Date.parse(time);
};

/** Event type of a record; `undefined` if no known field has one. */
export const actionTypeOf = (record: Fields): string | undefined => read(record, typeNames);

const instantOf = (timeMs: number): string => new Date(timeMs).toISOString();

export const auditChecks: readonly Check[] = [
  stated('4.5', 'GET /v1/audit-logs returns a paginated list of administrative events', {
    effect: 'read',
    quotes: [
      'GET /v1/audit-logs returns a paginated list of administrative events.',
      '1: An audit log endpoint returns administrative events as a paginated list.',
      '2.6: A record describes one administrative event.',
    ],
    run: async (context) => {
      const { rows } = await readAudit(context);
      need(rows.length > 0, 'needs an event in the audit log');
      for (const record of rows) must(Object.keys(record).length > 0, 'a record of an event', record);
    },
  }),
  stated('4.5', 'userId keeps only the events of the user with this internal ID', {
    effect: 'read',
    quotes: ['| userId | integer | Only events of the user with this internal ID |'],
    run: async (context) => {
      const all = await readAudit(context, { pageSize: 200 });
      const userId = all.rows.map((record) => record['userId']).find((id) => typeof id === 'number');
      need(userId !== undefined, 'needs an event that names its user');
      const { rows, total } = await readAudit(context, { userId, pageSize: 200 });
      must(rows.length > 0, `the events of user ${userId}`, 'none');
      const foreign = rows.find((record) => record['userId'] !== userId);
      must(foreign === undefined, `only events of user ${userId}`, foreign);
      const expected = all.rows.filter((record) => record['userId'] === userId).length;
      must(rows.length >= expected || (total ?? 0) >= expected, `at least ${expected} events`, rows.length);
      const nobody = await readAudit(context, { userId: 2_147_480_000 });
      must(nobody.rows.length === 0, 'no events of a user who does not exist', nobody.rows[0]);
    },
  }),
  stated('4.5', 'a userId that is not an integer matches no event, or is rejected', {
    effect: 'read',
    quotes: ['| userId | integer |'],
    run: async ({ admin }) => {
      const answer = await admin('GET', '/v1/audit-logs?userId=north');
      must(
        !isSuccess(answer) || readListing(answer).rows.length === 0,
        'a refusal or no events',
        answer.status,
      );
    },
  }),
  stated('4.5', 'actionType keeps only the events of this type', {
    effect: 'read',
    quotes: ['| actionType | string | Only events of this event type |', '6.2: filterable by actionType'],
    run: async (context) => {
      const all = await readAudit(context, { pageSize: 200 });
      const actionType = all.rows.map(actionTypeOf).find((type) => type !== undefined);
      need(actionType !== undefined, 'needs an event that names its type');
      const { rows } = await readAudit(context, { actionType, pageSize: 200 });
      must(rows.length > 0, `the events of type ${actionType}`, 'none');
      const other = rows.find((record) => actionTypeOf(record) !== actionType);
      must(other === undefined, `only events of type ${actionType}`, other);
      const unknown = await context.admin('GET', '/v1/audit-logs?actionType=NoSuchEvent');
      must(
        !isSuccess(unknown) || readListing(unknown).rows.length === 0,
        'no events of an unknown type',
        unknown.text,
      );
    },
  }),
  stated('4.5', 'dateRange in ISO 8601 form <start_date>/<end_date> keeps only the events within it', {
    effect: 'read',
    quotes: ['| dateRange | string | Range in ISO 8601 form: <start_date>/<end_date> |'],
    run: async (context) => {
      const times = (await readAudit(context, { pageSize: 200 })).rows
        .map(timeOf)
        .filter((time) => time !== undefined);
      need(times.length > 0, 'needs an event with a time');
      const [first, last] = [Math.min(...times), Math.max(...times)];
      const middle = Math.floor((first + last) / 2);
      for (const [start, end] of [
        [first - 1, middle],
        [middle, last + 1000],
      ] as const) {
        const { rows } = await readAudit(context, {
          dateRange: `${instantOf(start)}/${instantOf(end)}`,
          pageSize: 200,
        });
        for (const time of rows.map(timeOf))
          must(
            time === undefined || (time >= start && time <= end),
            `events from ${instantOf(start)} to ${instantOf(end)}`,
            time === undefined ? undefined : instantOf(time),
          );
        const expected = times.filter((time) => time > start && time < end).length;
        must(rows.length >= Math.min(expected, 200), `at least ${expected} events`, rows.length);
      }
      const future = `${instantOf(last + 86_400_000)}/${instantOf(last + 172_800_000)}`;
      const later = await readAudit(context, { dateRange: future });
      must(later.rows.length === 0, 'no events after the last one', later.rows[0]);
    },
  }),
  stated('4.5', 'dateRange accepts dates without a time, in the extended and the basic format', {
    effect: 'read',
    quotes: ['Range in ISO 8601 form: <start_date>/<end_date>'],
    run: async (context) => {
      const time = (await readAudit(context)).rows.map(timeOf).find((value) => value !== undefined);
      need(time !== undefined, 'needs an event with a time');
      const day = instantOf(time).slice(0, 10);
      const next = instantOf(time + 86_400_000).slice(0, 10);
      const basic = `${day}/${next}`.replaceAll('-', '');
      for (const dateRange of [`${day}/${next}`, basic])
        must((await readAudit(context, { dateRange })).rows.length > 0, `events of ${dateRange}`, 'none');
    },
  }),
  stated('4.5', 'page returns the pages in order, without repeating an event', {
    effect: 'read',
    quotes: ['| page | integer | Page number |'],
    run: async (context) => {
      const pages = [];
      for (const page of [1, 2, 3]) pages.push((await readAudit(context, { page, pageSize: 5 })).rows);
      need((pages[1]?.length ?? 0) > 0, 'needs more than five events');
      const ids = pages.flat().map((record) => ('id' in record ? idOf(record) : JSON.stringify(record)));
      must(new Set(ids).size === ids.length, 'every event once', ids);
    },
  }),
  stated('4.5', 'pageSize is the number of results of a page', {
    effect: 'read',
    quotes: ['| pageSize | integer | Results per page; default 50, maximum 200 |'],
    run: async (context) => {
      const { rows, total } = await readAudit(context, { pageSize: 3 });
      need((total ?? rows.length) >= 3, 'needs three events');
      must(rows.length === 3, '3 events', rows.length);
    },
  }),
  stated('8', 'a page of the audit log has 50 events when no pageSize is given', {
    effect: 'read',
    quotes: ['| pageSize default | 50 | GET /v1/audit-logs |', '4.5: default 50'],
    run: async (context) => {
      const { rows, total } = await readAudit(context);
      need((total ?? rows.length) >= 50, 'needs 50 events or more in the audit log');
      must(rows.length === 50, '50 events', rows.length);
    },
  }),
  stated('8', 'a page of the audit log has 200 events when pageSize is 200', {
    effect: 'read',
    quotes: ['| pageSize maximum | 200 | GET /v1/audit-logs |', '4.5: maximum 200'],
    run: async (context) => {
      const { rows, total } = await readAudit(context, { pageSize: 200 });
      need((total ?? rows.length) > 200, 'needs more than 200 events in the audit log');
      must(rows.length === 200, '200 events', rows.length);
    },
  }),
  ...[201, 1000].map((pageSize) =>
    stated('8', `a page of the audit log never has more than 200 events: pageSize ${pageSize}`, {
      effect: 'read',
      quotes: ['| pageSize maximum | 200 | GET /v1/audit-logs |'],
      run: async (context) => {
        await readAudit(context, { pageSize: 200 });
        const answer = await context.admin('GET', `/v1/audit-logs?pageSize=${pageSize}`);
        if (!isSuccess(answer)) return;
        const { rows, total } = readListing(answer);
        must(rows.length <= 200, 'a refusal or at most 200 events', rows.length);
        need((total ?? rows.length) > 200, 'needs more than 200 events in the audit log');
      },
    }),
  ),
  stated('6.2', 'creating a user is an event of type UserCreated', {
    effect: 'write',
    quotes: [
      'The audit log (4.5) holds administrative events filterable by actionType.',
      'Example types: UserCreated, RoleUpdated, ReportExported.',
    ],
    run: async (context) => {
      const before = (await readAudit(context, { actionType: 'UserCreated' })).total;
      need(before !== undefined, 'needs a total in the list');
      const user = await createUser(context);
      const after = (await readAudit(context, { actionType: 'UserCreated' })).total;
      await context.admin('DELETE', userPath(user));
      must(after === before + 1, 'one UserCreated more', { before, after });
    },
  }),
  ...['RoleUpdated', 'ReportExported'].map((actionType) =>
    stated('6.2', `the audit log can be filtered by ${actionType}`, {
      effect: 'read',
      quotes: ['Example types: UserCreated, RoleUpdated, ReportExported.'],
      run: async (context) => {
        const { rows } = await readAudit(context, { actionType });
        const other = rows.find((record) => ![undefined, actionType].includes(actionTypeOf(record)));
        must(other === undefined, `only events of type ${actionType}`, other);
      },
    }),
  ),
  stated('9', 'the audit log has the path prefix /v1', {
    effect: 'read',
    quotes: ['Administration endpoints and the audit log carry the path prefix /v1.'],
    run: async ({ admin }) => {
      readListing(await admin('GET', '/v1/audit-logs'));
      mustRefuse(await admin('GET', '/audit-logs'), 'the path without /v1');
    },
  }),
];
