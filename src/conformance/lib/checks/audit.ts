import { type Check, reads, writes } from '../check.ts';
import type { CheckContext } from '../createContext.ts';
import { must, need, needed } from '../difference.ts';
import { isInstant } from '../fieldTypes.ts';
import { type Fields, isSuccess, readListing } from '../readers.ts';
import { create, userPath } from '../resources.ts';

const askAudit = ({ admin }: CheckContext, query: Readonly<Record<string, string>>) =>
  admin('GET', `/v1/audit-logs?${new URLSearchParams(query).toString()}`);

/** One page of the audit log. */
const readAudit = async (context: CheckContext, query: Readonly<Record<string, string>> = {}) =>
  readListing(await askAudit(context, query));

/** When events happened: the first time in each record that has one. */
const timesOf = (records: readonly Fields[]): readonly number[] =>
  records.flatMap((record) => Object.values(record).filter(isInstant).slice(0, 1)).map(Date.parse);

const instantOf = (timeMs: number): string => new Date(timeMs).toISOString();
const dayMs = 86_400_000;

/** A filter of the list by a field of the records. */
const filterCheck = (name: string, row: string): Check =>
  reads(`4.5 ${name} keeps only the events with this ${name}`, row, async (context) => {
    const all = (await readAudit(context, { pageSize: '200' })).rows;
    const first = all.find((record) => (record[name] ?? null) !== null);
    const value = needed(first, `an event with its ${name}`)[name];
    const { rows, total = 0 } = await readAudit(context, { [name]: String(value), pageSize: '200' });
    const foreign = rows.find((record) => record[name] !== value);
    must(foreign === undefined, `only events with ${name} ${String(value)}`, foreign);
    const expected = all.filter((record) => record[name] === value).length;
    must(Math.max(rows.length, total) >= expected, `at least ${expected} events`, rows.length);
    const answer = await askAudit(context, { [name]: '2147480000' });
    const isEmpty = !isSuccess(answer) || readListing(answer).rows.length === 0;
    must(isEmpty, `no event with ${name} 2147480000`, answer.text);
  });

export const auditChecks: readonly Check[] = [
  filterCheck('userId', '| userId | integer | Only events of the user with this internal ID |'),
  filterCheck('actionType', '| actionType | string | Only events of this event type |'),
  reads(
    '4.5 dateRange in ISO 8601 form <start_date>/<end_date> keeps only the events within it',
    '| dateRange | string | Range in ISO 8601 form: <start_date>/<end_date> |',
    async (context) => {
      const { rows: all } = await readAudit(context, { pageSize: '200' });
      const times = timesOf(all);
      need(times.length > 0, 'needs an event with a time');
      const [first, last] = [Math.min(...times), Math.max(...times)];
      const quarter = Math.floor((last - first) / 4);
      const [start, end] = [first + quarter, last - quarter];
      const dateRange = `${instantOf(start)}/${instantOf(end)}`;
      const { rows } = await readAudit(context, { dateRange, pageSize: '200' });
      const outside = timesOf(rows).find((time) => time < start || time > end);
      must(outside === undefined, `events of ${dateRange}`, outside && instantOf(outside));
      const expected = times.filter((time) => time > start && time < end).length;
      must(rows.length >= Math.min(expected, 200), `at least ${expected} events`, rows.length);
      const days = [last, last + dayMs].map((time) => instantOf(time).slice(0, 10)).join('/');
      const { rows: ofDays } = await readAudit(context, { dateRange: days });
      must(ofDays.length > 0, `events of ${days}`, 'none');
    },
  ),
  reads(
    '4.5 GET /v1/audit-logs returns a list whose pages come in order, each with pageSize events and without repeating one',
    'GET /v1/audit-logs returns a paginated list of administrative events.',
    async (context) => {
      const { total = 0 } = await readAudit(context);
      need(total >= 15, 'needs fifteen events, and a total in the list');
      const records = new Set<string>();
      for (const page of ['1', '2', '3']) {
        const { rows } = await readAudit(context, { page, pageSize: '5' });
        must(rows.length === 5, '5 events', rows.length);
        for (const record of rows) records.add(JSON.stringify(record));
      }
      must(records.size === 15, '15 events, each once', records.size);
    },
  ),
  reads(
    '8 a page of the audit log has 50 events by default, and at most 200',
    '| pageSize maximum | 200 | GET /v1/audit-logs |',
    async (context) => {
      const { rows, total: count = rows.length } = await readAudit(context);
      need(count >= 50, 'needs 50 events or more in the audit log');
      must(rows.length === 50, '50 events', rows.length);
      need(count > 200, 'needs more than 200 events in the audit log');
      const { rows: most } = await readAudit(context, { pageSize: '200' });
      must(most.length === 200, '200 events', most.length);
      const answer = await askAudit(context, { pageSize: '201' });
      const found = isSuccess(answer) ? readListing(answer).rows.length : 0;
      must(found <= 200, 'a refusal of pageSize 201, or at most 200 events', found);
    },
  ),
  writes(
    '6.2 creating a user is an event of type UserCreated',
    'Example types: UserCreated, RoleUpdated, ReportExported.',
    async (context) => {
      const before = (await readAudit(context, { actionType: 'UserCreated' })).total;
      need(before !== undefined, 'needs a total in the list');
      const user = await create(context, 'users');
      const after = (await readAudit(context, { actionType: 'UserCreated' })).total;
      await context.admin('DELETE', userPath(user));
      must(after === before + 1, 'one UserCreated more', { before, after });
    },
  ),
];
