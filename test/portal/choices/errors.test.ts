import type { CheckContext, MintRequest } from '../../../src/conformance/lib/createContext.ts';
import { describeAnswer, must, need } from '../../../src/conformance/lib/difference.ts';
import { isInstant, isInteger, isText, mustMatch } from '../../../src/conformance/lib/fieldTypes.ts';
import { addressOf, type Fields, isFields, mustSucceed } from '../../../src/conformance/lib/readers.ts';
import { create, newBody, syncPath, userPath } from '../../../src/conformance/lib/resources.ts';
import { send } from '../../../src/conformance/lib/send.ts';
import {
  type Choice,
  chosen,
  describeChoices,
  isOneOf,
  mustAnswer,
  mustAnswerList,
  mustAnswerResource,
  mustFail,
  mustName,
  orNull,
} from './choice.ts';

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
      const user = await create(context, 'users');
      await context.admin('PATCH', userPath(user), { body: { firstName: 'Other' } });
      await context.admin('DELETE', userPath(user));
    },
  ],
  ['UserDeleted', async (context) => context.admin('DELETE', userPath(await create(context, 'users')))],
  [
    'RoleCreated',
    async ({ admin, unique }) =>
      admin('POST', '/v1/roles', {
        body: { name: unique('Role'), type: 'Report', code: unique('code'), description: '' },
      }),
  ],
  ['OrganizationUnitCreated', async (context) => create(context, 'organization-units')],
  [
    'OrganizationUnitSynced',
    async (context) => {
      const { directoryGroupId } = context.target;
      need(directoryGroupId !== undefined, 'needs a security group with members (--directory-group-id)');
      await context.admin(
        'POST',
        syncPath(await create(context, 'organization-units', { directoryGroupId })),
      );
    },
  ],
  [
    'ItemImported',
    async (context) => context.admin('POST', '/v1/items', { body: await newBody(context, 'items') }),
  ],
  ['KeyCreated', async ({ mintKey }) => mintKey()],
  ['ReportViewed', async ({ itemId, mintKey, openReport }) => openReport(await itemId(), await mintKey())],
];

const auditChoices: readonly Choice[] = [
  chosen('2.6', 'a record has the type, time, actor, resource, source address and result', {
    gap: 'audit record',
    run: async (context) => {
      for (const each of (await ask(context, 'pageSize=200')).items) {
        must('id' in each, 'an id', each);
        mustMatch(each, record);
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
        mustMatch(after.items[0] ?? {}, { ...record, actionType: isOneOf(actionType) });
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
        await create(context, 'organization-units');
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

const mintErrors: readonly (readonly [what: string, status: number, request: MintRequest])[] = [
  ['an unknown API key', 401, { headers: { Authorization: 'ApiKey not-a-key-of-this-tenant' } }],
  ['no API key', 401, { headers: { Authorization: undefined } }],
  ['an invalid body', 400, { value: { userId: undefined } }],
  ['an unknown item', 404, { value: { reportId: 2_147_480_000 } }],
  ['a wrong passphrase', 500, { body: { passPhrase: 'not the passphrase' } }],
];

const at = (offsetMs: number): string => new Date(Date.now() + offsetMs).toISOString();
const hourMs = 3_600_000;

const errorChoices: readonly Choice[] = [
  chosen('7', 'errors of /v1 have code, message and requestId, and a validation error names the field', {
    gap: 'error body of /v1',
    run: async ({ admin }) => {
      mustFail(await admin('GET', '/v1/users/2147480000'), 404);
      const error = mustFail(
        await admin('POST', '/v1/roles', { body: { name: 7, type: 'RLS', code: 'x' } }),
        400,
      );
      must(Array.isArray(error['validationErrors']), 'validationErrors', error);
      must(JSON.stringify(error['validationErrors']).includes('name'), 'the name of the field', error);
    },
  }),
  chosen('7', 'without a valid key /v1 returns 401 and WWW-Authenticate', {
    gap: 'statuses',
    run: async ({ admin }) => {
      for (const authorization of [null, 'Bearer not-a-key-of-this-tenant']) {
        const answer = await admin('GET', '/v1/users', { authorization });
        mustFail(answer, 401);
        must(
          /bearer/i.test(answer.headers['www-authenticate'] ?? ''),
          'WWW-Authenticate: Bearer',
          answer.headers,
        );
      }
    },
  }),
  chosen('7', 'an unknown path returns 404', {
    gap: 'statuses',
    run: async ({ admin }) => void mustFail(await admin('GET', '/v1/no-such-thing'), 404),
  }),
  chosen('7', 'a key without permissions gets 403 from /v1', {
    gap: 'statuses',
    run: async ({ admin, target }) => {
      need(
        target.apiKeyWithoutPermissions !== undefined,
        'needs a key without permissions (VITRINE_API_KEY_WITHOUT_PERMISSIONS)',
      );
      mustFail(
        await admin('GET', '/v1/users', { authorization: `Bearer ${target.apiKeyWithoutPermissions}` }),
        403,
      );
    },
  }),
  chosen('7', 'a body of another type than JSON returns 415, one that is too large 413, truncated JSON 400', {
    gap: 'statuses',
    run: async ({ target: { baseUrl, apiKey } }) => {
      const post = (body: string, type = 'application/json') =>
        send({
          method: 'POST',
          url: addressOf(baseUrl, '/v1/roles'),
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': type },
          body,
        });
      mustFail(await post('name=North', 'application/x-www-form-urlencoded'), 415);
      mustFail(await post('{"name": "half'), 400);
      mustFail(await post(JSON.stringify({ name: 'n'.repeat(4_000_000) })), 413);
    },
  }),
  ...mintErrors.map(([what, status, request]) =>
    chosen('7', `CreateEncryptedKey returns ${status} and the envelope for ${what}`, {
      gap: 'errors of CreateEncryptedKey',
      run: async ({ mint }) => {
        const answer = await mint(request);
        mustAnswer(answer, status);
        must(
          isFields(answer.json) && answer.json['success'] === false,
          'success false',
          describeAnswer(answer),
        );
        const { error, result, targetUrl, unAuthorizedRequest, __abp } = answer.json;
        must(isFields(error) && typeof error['message'] === 'string', 'an error with a message', error);
        must('code' in error && 'details' in error && 'validationErrors' in error, 'the whole error', error);
        must(result === null && targetUrl === null && __abp === true, 'the whole envelope', answer.json);
        must(
          unAuthorizedRequest === (status === 401),
          `unAuthorizedRequest ${status === 401}`,
          unAuthorizedRequest,
        );
      },
    }),
  ),
  chosen(
    '5',
    'a key with both permissions of 4.6 may use the administration API, and a 403 names the missing permission',
    {
      gap: 'which keys open /v1',
      run: async ({ admin, target }) => {
        for (const name of ['users', 'roles', 'organization-units', 'items', 'tasks', 'links', 'audit-logs'])
          mustAnswerResource(await admin('GET', `/v1/${name}`), 200);
        need(
          target.apiKeyWithoutPermissions !== undefined,
          'needs a key without permissions (VITRINE_API_KEY_WITHOUT_PERMISSIONS)',
        );
        const authorization = `Bearer ${target.apiKeyWithoutPermissions}`;
        const error = mustFail(await admin('GET', '/v1/links', { authorization }), 403);
        must(
          JSON.stringify(error).includes('Administration.Links'),
          'an error that names Administration.Links',
          error,
        );
      },
    },
  ),
  chosen('7', 'CreateEncryptedKey returns 403 for a key without the permissions', {
    gap: 'errors of CreateEncryptedKey',
    run: async ({ mint, target }) => {
      need(
        target.apiKeyWithoutPermissions !== undefined,
        'needs a key without permissions (VITRINE_API_KEY_WITHOUT_PERMISSIONS)',
      );
      mustAnswer(
        await mint({ headers: { Authorization: `ApiKey ${target.apiKeyWithoutPermissions}` } }),
        403,
      );
    },
  }),
  ...(
    [
      ['that is omitted is 60 minutes from now', undefined, hourMs],
      ['that is far away is clamped to 24 hours', 72 * hourMs, 24 * hourMs],
    ] as const
  ).map(([what, askedMs, lifetimeMs]) =>
    chosen('4.6', `an expiration ${what}`, {
      gap: 'expiration omitted; past; far',
      run: async ({ admin, mint }) => {
        const known = new Set(mustAnswerList(await admin('GET', '/v1/links')).items.map(({ id }) => id));
        mustSucceed(await mint({ value: { expiration: askedMs === undefined ? undefined : at(askedMs) } }));
        const link = mustAnswerList(await admin('GET', '/v1/links')).items.find(({ id }) => !known.has(id));
        const leftMs = Date.parse(String(link?.['expiresAt'])) - Date.now();
        must(
          Math.abs(leftMs - lifetimeMs) < 60_000,
          `${lifetimeMs / 60_000} minutes`,
          `${leftMs / 60_000} minutes`,
        );
      },
    }),
  ),
  chosen('4.6', 'an expiration in the past returns 400', {
    gap: 'expiration omitted; past; far',
    run: async ({ mint }) => mustAnswer(await mint({ value: { expiration: at(-60_000) } }), 400),
  }),
  chosen('4.6', 'the text of a key is base64 and holds characters that a URL must encode', {
    gap: "the key's text",
    run: async ({ mintKey }) => {
      const key = await mintKey();
      must(/^[A-Za-z0-9+/]+={0,2}$/.test(key), 'base64', 'another alphabet');
      must(/[+/=]/.test(key), 'one of + / =', 'a text that needs no encoding');
    },
  }),
  chosen('4.6', 'the tenant header is Svc.TenantId in any case, and no other name', {
    gap: 'tenant header',
    run: async ({ mint, target }) => {
      const named = (name: string) =>
        mint({ headers: { [target.tenantIdHeader]: undefined, [name]: String(target.tenantId) } });
      mustSucceed(await named('svc.tenantid'));
      mustAnswer(await named('Svc-TenantId'), 400);
    },
  }),
  chosen('4.6', 'a role that does not exist gets no key', {
    gap: 'RLS',
    run: async ({ mint, rlsItemId }) => {
      const answer = await mint({ value: { reportId: await rlsItemId(), roleNames: ['no-such-role'] } });
      must(answer.status >= 400, 'a refusal', describeAnswer(answer));
      must(
        isFields(answer.json) && answer.json['success'] === false,
        'success false',
        describeAnswer(answer),
      );
    },
  }),
];

describeChoices([...auditChoices, ...errorChoices]);
