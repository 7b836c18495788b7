import {
  createUnit,
  createUser,
  newItemBody,
  syncPath,
  userPath,
} from '../../../src/conformance/lib/checks/people.ts';
import type { CheckContext } from '../../../src/conformance/lib/createContext.ts';
import { must, need } from '../../../src/conformance/lib/difference.ts';
import { isInstant, isInteger, isText, mustHaveAll } from '../../../src/conformance/lib/fieldTypes.ts';
import { type Fields, isFields } from '../../../src/conformance/lib/readers.ts';
import { type Choice, chosen, isOneOf, mustAnswerList, mustFail, mustName, orNull } from './expectations.ts';

const auditActionTypes = [
  'UserCreated',
  'UserUpdated',
  'UserDeleted',
  'RoleCreated',
  'RoleUpdated',
  'RoleRemoved',
  'OrganizationUnitCreated',
  'OrganizationUnitSynced',
  'OrganizationUnitUpdated',
  'OrganizationUnitRemoved',
  'ItemImported',
  'ItemUpdated',
  'ItemRemoved',
  'ReportViewed',
  'ReportExported',
  'KeyCreated',
  'KeyRevoked',
  'TaskCreated',
  'TaskUpdated',
  'TaskRemoved',
  'TaskExecuted',
  'TaskFailed',
  'ApiKeyCreated',
  'ApiKeyRevoked',
  'DirectoryUpdated',
  'TenantCreated',
  'TenantUpdated',
];

const record = {
  actionType: isText,
  timestamp: isInstant,
  userId: orNull(isInteger),
  userEmail: orNull(isText),
  resourceType: orNull(isText),
  resourceId: orNull((value) => isText(value) || isInteger(value)),
  description: isText,
  result: isText,
  ipAddress: orNull(isText),
  details: (value: unknown) => value === null || isFields(value) || isText(value),
};

const ask = async ({ admin }: CheckContext, query: string) =>
  mustAnswerList(await admin('GET', `/v1/audit-logs?${query}`));

const causes: readonly (readonly [type: string, (context: CheckContext) => Promise<unknown>])[] = [
  [
    'UserUpdated',
    async (context) => {
      const user = await createUser(context);
      await context.admin('PATCH', userPath(user), { body: { firstName: 'Other' } });
      await context.admin('DELETE', userPath(user));
    },
  ],
  ['UserDeleted', async (context) => context.admin('DELETE', userPath(await createUser(context)))],
  [
    'RoleCreated',
    async ({ admin, unique }) =>
      admin('POST', '/v1/roles', {
        body: { name: unique('Role'), type: 'Report', code: unique('code'), description: '' },
      }),
  ],
  ['OrganizationUnitCreated', createUnit],
  [
    'OrganizationUnitSynced',
    async (context) => {
      const { directoryGroupId } = context.target;
      need(directoryGroupId !== undefined, 'needs a security group with members (--directory-group-id)');
      await context.admin('POST', syncPath(await createUnit(context, { directoryGroupId })));
    },
  ],
  ['ItemImported', async (context) => context.admin('POST', '/v1/items', { body: newItemBody(context) })],
  ['KeyCreated', async ({ mintKey }) => mintKey()],
  ['ReportViewed', async ({ itemId, mintKey, openReport }) => openReport(await itemId(), await mintKey())],
];

export const auditChoices: readonly Choice[] = [
  chosen('2.6', 'a record has the type, time, actor, resource, source address and result', {
    gap: 'audit record',
    run: async (context) => {
      for (const each of (await ask(context, 'pageSize=200')).items) {
        must('id' in each, 'an id', each);
        mustHaveAll(each, record);
      }
    },
  }),
  chosen('2.6', 'records come newest first', {
    gap: 'audit record',
    run: async (context) => {
      const times = (await ask(context, 'pageSize=200')).items.map(({ timestamp }) =>
        Date.parse(String(timestamp)),
      );
      const isSorted = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? time));
      must(isSorted, 'newest first', times.slice(0, 5));
    },
  }),
  ...causes.map(([actionType, cause]) =>
    chosen('6.2', `a change is recorded as ${actionType}, once`, {
      gap: 'event types',
      run: async (context) => {
        const before = (await ask(context, `actionType=${actionType}`)).totalCount;
        await cause(context);
        const after = await ask(context, `actionType=${actionType}`);
        must(after.totalCount === before + 1, `one ${actionType} more`, after.totalCount - before);
        mustHaveAll(after.items[0] ?? {}, { ...record, actionType: isOneOf(actionType) });
      },
    }),
  ),
  chosen('6.2', 'every event type is one of ours', {
    gap: 'event types',
    run: async (context) => {
      const types = new Set<string>(auditActionTypes);
      for (const { actionType } of (await ask(context, 'pageSize=200')).items)
        must(types.has(String(actionType)), 'a known event type', actionType);
    },
  }),
  chosen('6.2', 'a refused change leaves no event', {
    gap: 'event types',
    run: async (context) => {
      const before = (await ask(context, 'actionType=RoleCreated')).totalCount;
      mustFail(await context.admin('POST', '/v1/roles', { body: { name: 7 } }), 400);
      must(
        (await ask(context, 'actionType=RoleCreated')).totalCount === before,
        `${before} events`,
        'another number',
      );
    },
  }),
  chosen(
    '4.5',
    'a date range includes its start but not its end; an end date without a time includes the whole day',
    {
      gap: 'dateRange',
      run: async (context) => {
        await createUnit(context);
        const newest: Fields = (await ask(context, 'actionType=OrganizationUnitCreated')).items[0] ?? {};
        const at = String(newest['timestamp']);
        const later = new Date(Date.parse(at) + 1).toISOString();
        const has = async (range: string) => {
          const query = `actionType=OrganizationUnitCreated&pageSize=200&dateRange=${encodeURIComponent(range)}`;
          return (await ask(context, query)).items.some(({ id }) => id === newest['id']);
        };
        const [day, start] = [at.slice(0, 10), new Date(Date.parse(at) - 60_000).toISOString()];
        must(await has(`${at}/${later}`), `the event of ${at} in ${at}/${later}`, 'not there');
        must(!(await has(`${start}/${at}`)), `no event of ${at} in ${start}/${at}`, 'there');
        must(await has(`${day}/${day}`), `the event of ${at} in ${day}/${day}`, 'not there');
        must(await has(`${at}/..`), `the event of ${at} in ${at}/..`, 'not there');
        must(!(await has(`../${at}`)), `no event of ${at} in ../${at}`, 'there');
        must(await has(`../${later}`), `the event of ${at} in ../${later}`, 'not there');
      },
    },
  ),
  chosen('4.5', 'a broken date range, page or page size is a 400 that names it', {
    gap: 'dateRange',
    run: async ({ admin }) => {
      for (const range of [
        'yesterday',
        '2026-01-01',
        '2026-13-01/2026-12-01',
        '2026-02-01/2026-01-01',
        '/',
        '2026-01-01/x',
      ])
        mustName(await admin('GET', `/v1/audit-logs?dateRange=${encodeURIComponent(range)}`), 'dateRange');
      for (const [query, field] of [
        ['pageSize=201', 'pageSize'],
        ['pageSize=0', 'pageSize'],
        ['page=0', 'page'],
        ['userId=north', 'userId'],
      ] as const)
        mustName(await admin('GET', `/v1/audit-logs?${query}`), field);
    },
  }),
  chosen('5', 'the audit log requires the Bearer key, like the rest of /v1', {
    gap: 'audit log authentication',
    run: async ({ admin, target }) => {
      mustAnswerList(await admin('GET', '/v1/audit-logs'));
      mustFail(await admin('GET', '/v1/audit-logs', { authorization: null }), 401);
      mustFail(await admin('GET', '/v1/audit-logs', { authorization: `ApiKey ${target.apiKey}` }), 401);
    },
  }),
];
