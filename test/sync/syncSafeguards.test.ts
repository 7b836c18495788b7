import {
  createPortalClient,
  type DesiredUser,
  type PlanAction,
  type PortalClient,
  targetOf,
  usersFromCsv,
  usersFromJson,
} from '@vitrine/portal-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Directory, startDirectory } from './support/directory.ts';

const isDangerous = ({ dangers }: PlanAction) => dangers !== undefined;
let directory: Directory;
let client: PortalClient;

beforeEach(async () => {
  directory = await startDirectory();
  client = createPortalClient({ baseUrl: directory.baseUrl, apiKey: 'test-api-key-0123456789' });
  return async () => {
    await client.close();
    await directory.close();
  };
});

const emailOf = (number: number) => `user-${number}@acme.example`;

/** Adds people with the same roles and units to the tenant. */
const addPeople = (count: number, roles: string[] = ['Readers']) => {
  for (let number = 0; number < count; number += 1)
    directory.add({ email: emailOf(number), roles, organizationUnits: ['ou-1'] });
};

/** A row for each of these people, with the given fields. */
const rowsOf = (count: number, fields: Omit<Partial<DesiredUser>, 'email'>): DesiredUser[] =>
  Array.from({ length: count }, (_, number) => ({ email: emailOf(number), ...fields }));

const newcomer = (email: string, roles: string[]): DesiredUser => ({
  email,
  type: 'UserPass',
  firstName: 'First',
  lastName: 'Last',
  roles,
});

/** SCIM users as directories export them that manage no roles: each has empty lists. */
const scimExport = (count: number) =>
  JSON.stringify({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: count,
    Resources: Array.from({ length: count }, (_, number) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: String(number),
      userName: emailOf(number),
      name: { givenName: 'First', familyName: 'Last' },
      emails: [{ value: emailOf(number), type: 'work', primary: true }],
      roles: [],
      groups: [],
      active: true,
    })),
  });

const changesOf = (actions: readonly PlanAction[]) =>
  actions.map((action) => `${action.action} ${targetOf(action)}`);

describe('an empty list', () => {
  beforeEach(() => addPeople(60));

  const sources: readonly [string, () => Iterable<DesiredUser> | AsyncIterable<DesiredUser>][] = [
    ['SCIM users', () => usersFromJson(scimExport(3))],
    ['JSON', () => usersFromJson(JSON.stringify(rowsOf(3, { roles: [], organizationUnits: [] })))],
    [
      'JSON with null',
      () => usersFromJson(JSON.stringify(rowsOf(3, {}).map((row) => ({ ...row, roles: null })))),
    ],
    [
      'a CSV',
      () =>
        usersFromCsv(
          `email,roles,organizationUnits\n${rowsOf(3, {})
            .map(({ email }) => `${email},,\n`)
            .join('')}`,
        ),
    ],
    ['a program', () => rowsOf(3, { roles: [], organizationUnits: [] })],
    ['a program without lists', () => rowsOf(3, {})],
  ];

  it.each(sources)('of %s changes nothing', async (_, users) => {
    const plan = await client.planSync({ users: users() });
    expect([plan.actions, plan.conflicts, plan.counts.unchanged]).toEqual([[], [], 3]);
  });

  it('gives a new user the default roles', async () => {
    const users = [newcomer('new@acme.example', [])];
    const [created] = (await client.planSync({ users }, { defaults: { roles: ['Readers'] } })).actions;
    expect(created).toMatchObject({ action: 'create', to: { roles: ['Readers'] } });
  });

  it('removes all roles and units with emptyClears, which counts as the removal of the user', async () => {
    const users = usersFromJson(JSON.stringify(rowsOf(1, { roles: [], organizationUnits: [] })));
    const plan = await client.planSync({ users }, { emptyClears: true });
    expect(plan.actions).toMatchObject([
      { action: 'update', from: { roles: ['Readers'] }, to: { roles: [] } },
    ]);
    expect(plan.actions.map(isDangerous)).toEqual([true]);
    expect((await client.applyPlan(plan)).notAllowed.removals).toBe(1);
    expect(directory.writes).toEqual([]);
    expect((await client.applyPlan(plan, { allowRemovals: true })).done.update).toBe(1);
    expect(directory.contents()[0]).toMatchObject({ roles: [], organizationUnits: [] });
  });

  it('leaves a protected user their roles', async () => {
    const plan = await client.planSync(
      { users: rowsOf(1, { roles: [] }) },
      { emptyClears: true, protect: ({ roles }) => roles?.includes('Readers') === true },
    );
    expect(plan.actions).toEqual([]);
    expect(plan.conflicts).toMatchObject([{ code: 'protected_user', key: emailOf(0) }]);
  });
});

describe('roles that users lose', () => {
  it('count as removals, up to their limits, when a user loses all of them', async () => {
    addPeople(60);
    const users = () => rowsOf(60, { roles: [], organizationUnits: [] });
    const plan = await client.planSync({ users: users() }, { emptyClears: true });
    await expect(client.applyPlan(plan, { allowRemovals: true })).rejects.toMatchObject({
      code: 'removal_cap',
    });
    expect(directory.writes).toEqual([]);
    const limits = { maxRemovals: 60, maxRemovalPercent: 100 };
    expect((await client.applyPlan(plan, { allowRemovals: true, ...limits })).done.update).toBe(60);
  });

  it.each([11, 60])('count as removals when %i of 60 lose the same role for another', async (count) => {
    addPeople(60);
    const plan = await client.planSync({ users: rowsOf(count, { roles: ['Managers'] }) });
    expect(plan.actions.map(isDangerous)).toEqual(plan.actions.map(() => true));
    expect((await client.applyPlan(plan)).notAllowed.removals).toBe(count);
    await expect(client.applyPlan(plan, { allowRemovals: true })).rejects.toMatchObject({
      code: 'removal_cap',
    });
    expect(directory.writes).toEqual([]);
  });

  it('count as removals when most users of a small tenant lose the same role', async () => {
    addPeople(5);
    const plan = await client.planSync({ users: rowsOf(3, { roles: ['Managers'] }) });
    expect((await client.applyPlan(plan)).notAllowed.removals).toBe(3);
    expect(directory.writes).toEqual([]);
  });

  it.each([
    ['a few', 60, 10],
    ['half of a small tenant', 6, 3],
    ['two users of two', 2, 2],
  ])('are an ordinary update when they are the roles of %s, who get another', async (_, people, count) => {
    addPeople(people);
    const plan = await client.planSync({ users: rowsOf(count, { roles: ['Managers'] }) });
    expect((await client.applyPlan(plan)).done.update).toBe(count);
  });

  it('do not count as removals when everybody keeps them and gets more', async () => {
    addPeople(60);
    const plan = await client.planSync({ users: rowsOf(60, { roles: ['Readers', 'Managers'] }) });
    expect((await client.applyPlan(plan)).done.update).toBe(60);
  });
});

describe('an administrator role that a user gains', () => {
  const gains = { dangers: ['administrator_gained'] };

  beforeEach(() => {
    directory.addRole('Owner', 'System');
    addPeople(2);
  });

  it.each<[string, DesiredUser, object]>([
    ['a new user', newcomer('new@acme.example', ['Readers', 'Owner']), { action: 'create', ...gains }],
    ['an existing user', { email: emailOf(0), roles: ['Readers', 'Owner'] }, { action: 'update', ...gains }],
  ])('is marked, and skipped unless it is allowed: %s', async (_, user, marked) => {
    const plan = await client.planSync({ users: [user, newcomer('other@acme.example', ['Readers'])] });
    const [gain] = plan.actions.filter(isDangerous);
    expect([plan.actions.length, plan.actions.filter(isDangerous).length]).toEqual([2, 1]);
    expect(gain).toMatchObject(marked);
    expect(await client.applyPlan(plan, { allowRemovals: true })).toMatchObject({
      notAllowed: { removals: 0, administrators: 1 },
      done: { create: expect.any(Number) },
    });
    expect(directory.writes.filter(({ body }) => body.roles.includes('Owner'))).toEqual([]);
    expect((await client.applyPlan(plan, { allowAdministrators: true })).notAllowed.administrators).toBe(0);
    expect(directory.writes.filter(({ body }) => body.roles.includes('Owner'))).toHaveLength(1);
  });

  it('is marked when the plan creates the role, and when it is a default of new users', async () => {
    const roles = [{ name: 'Root', type: 'System' }];
    const users = [newcomer('new@acme.example', ['Root'])];
    const planned = (await client.planSync({ users, roles })).actions.filter(isDangerous);
    expect(changesOf(planned)).toEqual(['create new@acme.example']);
    const defaults = { roles: ['Owner'] };
    const byDefault = await client.planSync({ users: [newcomer('b@acme.example', [])] }, { defaults });
    expect(byDefault.actions.map(isDangerous)).toEqual([true]);
  });

  it('is no change when the user has it', async () => {
    directory.add({ email: 'owner@acme.example', roles: ['Owner'] });
    const users = [{ email: 'owner@acme.example', lastName: 'Changed', roles: ['Owner'] }];
    expect((await client.planSync({ users })).actions.map(isDangerous)).toEqual([false]);
  });
});

describe('a value of active', () => {
  const rows = (active: unknown): (Record<string, unknown> & { email: string })[] => [
    { email: emailOf(0), lastName: 'Changed' },
    { email: emailOf(1), active },
    { ...newcomer('new@acme.example', []) },
    { ...newcomer('gone@acme.example', []), active },
  ];
  const csv = (active: string) =>
    `email,firstName,lastName,type,active\n${emailOf(0)},,Changed,,\n${emailOf(1)},,,,${active}\n` +
    `new@acme.example,F,L,UserPass,\ngone@acme.example,F,L,UserPass,${active}\n`;
  const json = (active: unknown) => usersFromJson(JSON.stringify(rows(active)));
  const lines = (active: unknown) =>
    usersFromJson(
      rows(active)
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
  const scim = (active: unknown) =>
    usersFromJson(
      JSON.stringify(
        rows(active).map(({ email, firstName, lastName, ...rest }) => ({
          userName: email,
          name: { givenName: firstName, familyName: lastName },
          ...('active' in rest && { active: rest['active'] }),
        })),
      ),
    );
  const plan = (users: AsyncIterable<DesiredUser> | readonly DesiredUser[]) =>
    client.planSync({ users }, { missing: 'delete', defaults: { type: 'UserPass' } });
  const others = ['create new@acme.example', `update ${emailOf(0)}`, `delete ${emailOf(2)}`];

  beforeEach(() => addPeople(3));

  const program = (active: unknown) =>
    // The rows of a program may have any type at run time.
    rows(active) as DesiredUser[];

  it.each(['False', 'false', 'True', 'no', 'inactive', 'suspended', '', 0, 1, null, [], {}])(
    'that is not a boolean is a conflict of its row in a program: %j',
    async (active) => {
      const { actions, conflicts } = await plan(program(active));
      expect(conflicts).toMatchObject([
        { code: 'invalid_row', key: emailOf(1) },
        { code: 'invalid_row', key: 'gone@acme.example' },
      ]);
      expect(conflicts[0]?.message).toMatch(/^row 2 cannot be used: its active is .*, not true or false\.$/);
      expect(changesOf(actions)).toEqual(others);
    },
  );

  const sources = [
    ['CSV', (active: unknown) => usersFromCsv(csv(String(active)))],
    ['JSON', json],
    ['NDJSON', lines],
    ['SCIM', scim],
  ] as const;

  it.each(['on leave', 'Karenz', 'falsely', 2, '-1', '[]', 'unknown'])(
    'that a file states in another word is a conflict of its row: %j',
    async (active) => {
      for (const [name, read] of sources) {
        const { actions, conflicts } = await plan(read(active));
        expect([name, conflicts.map(({ key }) => key)]).toEqual([name, [emailOf(1), 'gone@acme.example']]);
        expect(changesOf(actions)).toEqual(others);
      }
    },
  );

  it.each([
    'False',
    'FALSE ',
    'no',
    'N',
    '0',
    0,
    'inactive',
    false,
    'Suspended',
    'DEPROVISIONED',
    'terminated',
    'nein',
    'FALSCH',
    'Nie',
    'いいえ',
    'Gekündigt',
    'suspendue',
    'Dado de baja',
    'cessato',
    'DESLIGADO',
    'uit dienst',
    'Zawieszony',
    '退職',
    '퇴사',
    '离职',
    'موقوف',
    'מושעה',
  ])('means that the user is not desired, in every kind of file: %j', async (active) => {
    for (const [name, read] of sources) {
      const { actions, conflicts } = await plan(read(active));
      expect([name, conflicts]).toEqual([name, []]);
      expect(changesOf(actions)).toEqual([
        'create new@acme.example',
        `update ${emailOf(0)}`,
        `delete ${emailOf(1)}`,
        `delete ${emailOf(2)}`,
      ]);
    }
  });

  it.each(['True', ' TRUE', 'yes', 'Y', '1', 1, 'Active', true, 'Ja', 'WAHR', 'oui', 'はい'])(
    'means that the user is desired, in every kind of file: %j',
    async (active) => {
      for (const [name, read] of sources) {
        const { actions, conflicts } = await plan(read(active));
        expect([name, conflicts]).toEqual([name, []]);
        expect(changesOf(actions)).toEqual([
          'create new@acme.example',
          'create gone@acme.example',
          `update ${emailOf(0)}`,
          `delete ${emailOf(2)}`,
        ]);
      }
    },
  );
});

it('does not read pages that follow each other line by line', async () => {
  const page = JSON.stringify({ value: [{ email: emailOf(0) }] });
  for (const text of [`${page}\n${page}\n`, `${page}\n${page}`, `{"email":"a@acme.example"}\n${page}\n`])
    await expect(client.planSync({ users: usersFromJson(text) })).rejects.toMatchObject({
      code: 'json_incomplete',
    });
});

it('a state that is no word is a conflict, which does not show a record', async () => {
  const active = [{ secret: 'x' }, ['x'], 7.5];
  const rows = active.map((state, n) => ({ email: emailOf(n), active: state }));
  const { conflicts } = await client.planSync({ users: usersFromJson(JSON.stringify(rows)) });
  const states = ['a list or a record', 'a list or a record', '7.5'];
  expect(conflicts.map(({ message }) => message)).toEqual(
    states.map((state) => expect.stringContaining(`its active is ${state}, not true or false`)),
  );
});

it.each(['J\ud83d', 'J\ude00', 'J\ufffd'])(
  'a name with half a character is a conflict: %j',
  async (firstName) => {
    const rows = [{ email: emailOf(0), firstName, lastName: 'Doe', type: 'UserPass' }];
    const { actions, conflicts } = await client.planSync({ users: usersFromJson(JSON.stringify(rows)) });
    expect(actions).toEqual([]);
    expect(conflicts[0]?.message).toContain('was damaged before it came here');
  },
);

describe('a JSON that says that it is one of several pages', () => {
  const users = [{ email: emailOf(0) }, { email: emailOf(1) }];
  const next = 'https://directory.example/users?$skiptoken=secret-token';

  it.each<[string, object]>([
    ['Microsoft Graph', { '@odata.nextLink': next, value: users }],
    ['Google Directory', { kind: 'admin#directory#users', users, nextPageToken: 'secret-token' }],
    ['Keycloak behind a gateway', { items: users, next }],
    ['hasMore', { data: users, hasMore: true }],
    ['hasMore as text', { data: users, has_more: 'True' }],
    ['a nested cursor', { data: users, meta: { pagination: { next_cursor: 'secret-token' } } }],
    ['nested links', { items: users, _links: { next: { href: next } } }],
    ['a list of links', { items: users, links: [{ rel: 'self' }, { rel: 'next', href: next }] }],
    ['GraphQL', { data: users, pageInfo: { hasNextPage: true, endCursor: 'secret-token' } }],
    ['several pages', { items: users, page: { size: 2, totalPages: 3, number: 0 } }],
    ['a total', { items: users, totalCount: 200 }],
    ['a total as text', { Resources: users, totalResults: '200' }],
    ['the total of OData', { value: users, '@odata.count': 200 }],
    ['a nested total', { items: users, page: { size: 2, totalElements: 200 } }],
    ['a continuation token', { items: users, continuationToken: 'secret-token' }],
    ['DynamoDB', { Items: users, Count: 2, LastEvaluatedKey: { email: { S: 'secret-token' } } }],
    ['a cursor at the top', { members: users, cursor: 'secret-token' }],
    ['the total of a table', { data: users, recordsTotal: '57', recordsFiltered: 57 }],
    ['a page that is not the first', { items: users, offset: 100, limit: 100 }],
    ['a second page', { items: users, page: 2, pageSize: 50 }],
    ['a nested "more available"', { items: users, meta: { moreAvailable: true } }],
    ['a link back', { items: users, previous: next }],
    ['a later start of SCIM', { Resources: users, startIndex: 101, itemsPerPage: 100 }],
    ['OData 3', { 'odata.nextLink': next, value: users }],
    ['the total of OData 3', { 'odata.count': '200', value: users }],
    ['Amazon Cognito', { Users: users, PaginationToken: 'secret-token' }],
    ['a page token', { users, pageToken: 'secret-token' }],
    ['a skip token', { value: users, $skipToken: 'secret-token' }],
    ['the first of two Laravel pages', { data: users, meta: { current_page: 1, last_page: 2 } }],
    ['a part', { users, partial: true }],
    ['Bitbucket', { size: 2, isLastPage: false, values: users, start: 0 }],
    ['the next start', { values: users, nextPageStart: 2 }],
    ['Jira', { maxResults: 2, startAt: 0, isLast: false, values: users }],
    ['a slice of Spring', { content: users, last: false, number: 0, first: true, numberOfElements: 2 }],
    ['Salesforce', { records: users, done: false }],
    ['Solr', { numFound: 200, docs: users }],
    ['OData without a prefix', { users, '@nextLink': next }],
    ['a resumption token', { users, resumptionToken: 'secret-token' }],
    ['what changes are counted from', { users, nextSyncToken: 'secret-token' }],
    ['the count of all results', { users, resultCount: 200 }],
    ['the number of the next page', { users, next: 2 }],
    ['how many more', { users, more: 40 }],
    ['what remains', { users, remaining: 63 }],
    ['ADP', { workers: users, meta: { completeIndicator: false } }],
    ['the total of ADP', { workers: users, meta: { totalNumber: 7 } }],
    ['Salesforce without its state', { nextRecordsUrl: '/services/data/v58.0/query/01g-2000', users }],
    ['the marker of AWS', { Users: users, Marker: 'secret-token' }],
    ['FHIR', { users, link: [{ relation: 'self' }, { relation: 'next', url: next }] }],
    ['Pipedrive', { data: users, additional_data: { pagination: { more_items_in_collection: true } } }],
    ['more data', { users, MoreDataAvailable: true }],
    ['an incomplete list', { users, incomplete: true }],
    ['the next key', { users, nextKey: 'secret-token' }],
    ['the next batch', { chunk: users, next_batch: 'secret-token' }],
    ['a paging token', { users, paging_token: 'secret-token' }],
    ['SensorThings', { value: users, '@iot.nextLink': next }],
    ['the total of OpenSearch', { users, 'opensearch:totalResults': 70 }],
    ['the total of a header', { users, 'x-total-count': '70' }],
    ['errors beside the data', { errors: [{ message: 'timeout' }], users }],
    ['an error', { error: 'timeout', users }],
    ['a state of errors', { users, hasErrors: true }],
    ['a failed answer', { ok: false, users }],
    ['the status of an answer', { statusCode: 500, users }],
    ['a partial answer', { status: 206, users }],
    ['a time limit', { timed_out: true, users }],
    ['a size limit', { sizeLimitExceeded: true, users }],
    ['a token to resume with', { users, resumeToken: 'secret-token' }],
    ['a page of five', { users, page: { number: 1, of: 5 } }],
    ['a truncated list', { users, status: 'truncated' }],
    ['a failed export', { users, success: false }],
    ['a status', { users, status: 'partial' }],
    ['a list of pages', [{ value: users }, { value: users }]],
    ['an empty page with a next one', { value: [], '@odata.nextLink': next }],
  ])('stops the plan, without the token: %s', async (_, page) => {
    for (const indent of [undefined, 2]) {
      const text = JSON.stringify(page, undefined, indent);
      const planning = client.planSync({ users: usersFromJson(text) }, { missing: 'delete' });
      const error: unknown = await planning.catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code: 'json_incomplete',
        message: expect.stringMatching(/one of several pages/),
      });
      expect(error).toMatchObject({ message: expect.not.stringContaining('secret-token') });
    }
  });

  it.each<[string, object]>([
    ['a Graph answer', { '@odata.context': 'https://directory.example/$metadata#users', value: users }],
    ['a last page of Google', { kind: 'admin#directory#users', etag: '"x"', users }],
    ['no next page', { items: users, next: null, hasMore: false, total: 2, last: true }],
    ['no next page as text', { items: users, next: '', hasMore: 'false', totalCount: '2', count: '2' }],
    ['one page', { items: users, page: { size: 50, totalElements: 2, totalPages: 1, number: 0 } }],
    [
      'a whole list',
      { users, isLastPage: true, done: true, success: true, status: 'ok', resultCount: 2, rowCount: '2' },
    ],
    ['other links', { items: users, _links: { self: { href: next }, next: {} }, links: [{ rel: 'self' }] }],
    ['a page with room', { items: users, offset: 0, limit: 100, size: 2 }],
    ['a last page with its cursor', { data: users, pageInfo: { hasNextPage: false, endCursor: 'x' } }],
    [
      'no more',
      { items: users, more: 0, nextPage: {}, next_cursor: ' ', remaining: 0, moreInfo: 'https://x.example' },
    ],
    [
      'no errors',
      { users, errors: [], error: null, hasErrors: false, link: [{ relation: 'self', url: next }] },
    ],
    ['the first rows of Laravel', { data: users, from: 1, to: 2, total: 2, next_page_url: null, path: next }],
    ['a good status', { ok: true, status: 200, statusCode: '200', users, page: { number: 1, of: 1 } }],
    [
      'names that only look alike',
      { users, contextUrl: next, homepageUrl: next, nextReview: '2027-01-01', x: { id: 7 } },
    ],
    ['the whole table', { data: users, recordsTotal: '2', recordsFiltered: 2 }],
    ['a date', { items: users, nextRun: '2026-12-01', exportedAt: '2026-11-25' }],
    ['the only page of Laravel', { data: users, meta: { current_page: 1, last_page: 1, total: 2 } }],
    ['a whole list', { users, partial: false, complete: true, success: 'true', PaginationToken: null }],
    ['SCIM', { totalResults: '2', startIndex: 1, itemsPerPage: 2, Resources: users }],
  ])('control: a whole list is read: %s', async (_, page) => {
    const read: DesiredUser[] = [];
    for await (const user of usersFromJson(JSON.stringify(page))) read.push(user);
    expect(read).toMatchObject(users);
  });
});

it.each([1, 3000])('stops between the %i rows of a JSON, before there is a plan', async (count) => {
  const text = JSON.stringify(rowsOf(count, {}));
  const plan = (stop: AbortController, abort: () => void) =>
    client.planSync(
      { users: usersFromJson(text) },
      {
        signal: stop.signal,
        onProgress: ({ phase, count: done }) => {
          if (phase === 'comparing' && done === 1) setImmediate(abort);
        },
      },
    );
  const stop = new AbortController();
  await expect(plan(stop, () => stop.abort())).rejects.toMatchObject({ name: 'AbortError' });
  // Control: without the signal, there is a plan.
  const { counts } = await plan(new AbortController(), () => undefined);
  expect(counts.create + counts.unchanged + counts.conflicts).toBe(count);
});
