import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createPortal, type Portal } from '@vitrine/portal';
import {
  type Adapt,
  type AuditRecord,
  createPortalClient,
  isPortalError,
  type PortalClient,
} from '@vitrine/portal-client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../support/listenOn.ts';

/** Answers a request. `pass` sends one to the service behind the proxy. */
type Rewrite = (request: Request, pass: (request: Request) => Promise<Response>) => Promise<Response>;

/** Headers of one connection, and of an encoding that `fetch` removes. */
const ownHeaders = [
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
];

const passedOn = (entries: Iterable<[string, string]>): Record<string, string> =>
  Object.fromEntries([...entries].filter(([name]) => !ownHeaders.includes(name)));

/** Starts a proxy that makes a working service answer as another one would. */
const startRewritingProxy = async (origin: string, rewrite: Rewrite) => {
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const body = await buffer(incoming);
      // Requests of the tests send each header once.
      const headers = passedOn(Object.entries(incoming.headers as Record<string, string>));
      const { method = 'GET', url = '/' } = incoming;
      const request = new Request(`${origin}${url}`, { method, headers, ...(body.length > 0 && { body }) });
      const response = await rewrite(request, (changed) => fetch(changed));
      const sent = Buffer.from(await response.arrayBuffer());
      outgoing.writeHead(response.status, passedOn(response.headers)).end(sent);
    };
    answer().catch(() => outgoing.destroy());
  });
  const url = await listenOn(server);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, close };
};

/** A JSON object of the portal. */
type Row = Readonly<Record<string, any>>;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or a text that is sent as it is; `undefined`: no body. */
  readonly body: any;
}

const ask = (request: Request) => {
  const url = new URL(request.url);
  const [, , tag = '', , action] = url.pathname.split('/');
  return { url, tag, isChange: request.method !== 'GET', isSync: action === 'sync' };
};
type Asked = ReturnType<typeof ask>;

/** Changes each response of `/v1`. */
const answering =
  (change: (answer: Answer, asked: Asked) => Partial<Answer>): Rewrite =>
  async (request, pass) => {
    const response = await pass(request);
    const text = await response.text();
    const answer: Answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === '' ? undefined : JSON.parse(text),
    };
    const { status, headers, body } = { ...answer, ...change(answer, ask(request)) };
    const sent = typeof body === 'string' || body === undefined ? (body ?? null) : JSON.stringify(body);
    return new Response(sent, { status, headers });
  };

/** Changes the query of each request. */
const asking =
  (change: (query: URLSearchParams) => void): Rewrite =>
  (request, pass) => {
    const url = new URL(request.url);
    change(url.searchParams);
    return pass(new Request(url, request));
  };

/** Several differences at once; the first is the nearest to the portal. */
const allOf = (...rewrites: readonly Rewrite[]): Rewrite =>
  rewrites.reduce((inner, outer) => (request, pass) => outer(request, (changed) => inner(changed, pass)));

const isList = ({ status, body }: Answer) => status < 300 && Array.isArray(body?.items);
const isRow = ({ status, body }: Answer, { isSync }: Asked) =>
  status < 300 && body !== undefined && body.items === undefined && !isSync;

const lists = (change: (body: Row, answer: Answer, asked: Asked) => Partial<Answer>): Rewrite =>
  answering((answer, asked) => (isList(answer) ? change(answer.body, answer, asked) : {}));

/** Changes every row, in lists and alone. */
const rows = (tag: string, change: (row: Row) => Row): Rewrite =>
  answering((answer, asked) => {
    if (tag !== '*' && tag !== asked.tag) return {};
    if (isList(answer)) return { body: { ...answer.body, items: answer.body.items.map(change) } };
    return isRow(answer, asked) ? { body: change(answer.body) } : {};
  });

const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const envelope = (result: unknown) => ({
  result,
  targetUrl: null,
  success: true,
  error: null,
  unAuthorizedRequest: false,
  __abp: true,
});

const inEnvelope = answering((answer, asked) =>
  isRow(answer, asked) ? { body: envelope(answer.body) } : {},
);
const inData = answering((answer, asked) => (isRow(answer, asked) ? { body: { data: answer.body } } : {}));
const withoutBodyAfterChanges = answering((answer, asked) =>
  isRow(answer, asked) && asked.isChange ? { body: undefined } : {},
);
/** Another status instead of 201, 204 (with an empty object), or that of a synchronization. */
const statusOf = (before: number, status: number): Rewrite =>
  answering((answer) =>
    answer.status === before
      ? { status, ...(before === 204 && { body: {} }), ...(status === 204 && { body: undefined }) }
      : {},
  );
const emptySync = answering((_, { isSync }) => (isSync ? { body: undefined } : {}));

const bareLists = lists(({ items }) => ({ body: items }));
const listsIn = (name: string): Rewrite =>
  lists(({ items, ...rest }) => ({ body: { [name]: items, ...rest } }));
const listsInEnvelope = lists(({ items, totalCount }) => ({ body: envelope({ items, totalCount }) }));

const totalAs = (name: string): Rewrite =>
  lists((body) => ({ body: { ...without(body, 'totalCount'), [name]: body['totalCount'] } }));
const withoutTotal = lists((body) => ({ body: without(body, 'totalCount') }));
const totalInHeader = lists((body, { headers }) => ({
  headers: { ...headers, 'x-total-count': String(body['totalCount']) },
  body: without(body, 'totalCount'),
}));
const linksToPages = lists((body, { headers }, { url }) => {
  const last = Math.max(1, Math.ceil(body['totalCount'] / body['pageSize']));
  const link = (page: number, relation: string) => {
    const query = new URLSearchParams(url.search);
    query.set('page', String(page));
    return `<${url.pathname}?${query.toString()}>; rel="${relation}"`;
  };
  const next = body['page'] < last ? [link(body['page'] + 1, 'next')] : [];
  return {
    headers: { ...headers, link: [...next, link(1, 'first'), link(last, 'last')].join(', ') },
    body: without(body, 'totalCount'),
  };
});

const smallerPages = asking((query) => {
  if (Number(query.get('pageSize')) > 2) query.set('pageSize', '2');
});
const withoutPaging = asking((query) => {
  query.delete('page');
  query.set('pageSize', '200');
});
const userIdNamed = rows('users', ({ id, ...user }) => ({ userId: id, ...user }));
const userIdAsText = rows('users', (user) => ({ ...user, id: String(user['id']) }));
const unknownFields = rows('*', (row) => ({ ...row, etag: 'W/"1"', links: { self: '/v1' } }));
const unknownUserTypes = rows('users', (user) => ({ ...user, type: 'FederatedID' }));
const rolesWithoutCode = rows('roles', (role) => (role['code'] === null ? without(role, 'code') : role));
const unitNumber = (id: unknown) => (id === 'root' || id === null ? id : Number(id));
const unitIdAsNumber = rows('organization-units', (unit) => ({
  ...unit,
  id: Number(unit['id']),
  parentId: unitNumber(unit['parentId']),
}));
const noParentAtTheTop = rows('organization-units', (unit) => ({
  ...unit,
  parentId: unit['parentId'] === 'root' ? null : unit['parentId'],
}));
const itemNumbersOnly = rows('items', (item) => without(item, 'guid'));
const itemGuidsOnly = rows('items', ({ guid, ...item }) => ({ ...item, id: guid }));
/** Other names of the fields of an audit record. */
const auditNames = (names: Readonly<Record<string, string>>): Rewrite =>
  rows('audit-logs', (record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [names[name] ?? name, value])),
  );
const auditDetailsAsText = rows('audit-logs', (record) => ({
  ...record,
  details: JSON.stringify(record['details']),
}));

/** Changes each refusal. */
const errors = (
  change: (
    error: { code: string; message: string; validationErrors?: object },
    answer: Answer,
  ) => Partial<Answer>,
): Rewrite => answering((answer) => (answer.status >= 400 ? change(answer.body.error, answer) : {}));

const flatErrors = errors(({ code, message }) => ({ body: { code, message } }));
const errorsInEnvelope = errors(({ message, validationErrors = null }, { status }) => ({
  body: {
    ...envelope(null),
    success: false,
    error: { code: status, message, details: null, validationErrors },
  },
}));
const problems = errors(({ message }, { status, headers }) => ({
  headers: { ...headers, 'content-type': 'application/problem+json' },
  body: { type: 'about:blank', title: message, status, detail: message },
}));
const errorsWithStatusCode = errors(({ code, message }, { status }) => ({
  body: { statusCode: status, message, error: code },
}));
const errorPages = errors((_, { status, headers }) => ({
  headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>${status}</title><h1>${status}</h1>`,
}));
const errorTexts = errors(({ message }, { headers }) => ({
  headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
  body: message,
}));
const emptyErrors = errors((_, { headers: { 'content-type': _type, ...headers } }) => ({
  headers,
  body: undefined,
}));
/** Another status of the refusals with this code. */
const refusing = (code: string, status: number): Rewrite =>
  errors((error) => (error.code === code ? { status } : {}));

const auditEvents = { actionType: 'eventType', timestamp: 'eventTime' };
const auditActivities = { actionType: 'type', timestamp: 'createdAt', details: 'properties' };

/** Services whose choices, where the interface is silent, are read without help: one choice each, and many at once. */
const otherServices: Readonly<Record<string, Rewrite>> = {
  'the portal itself': (request, pass) => pass(request),
  'an envelope around a resource': inEnvelope,
  '200 for a created resource': statusOf(201, 200),
  '200 for a removal': statusOf(204, 200),
  'bare lists': bareLists,
  'lists in an envelope': listsInEnvelope,
  'the number of rows in total': totalAs('total'),
  'the number of rows only in X-Total-Count': totalInHeader,
  'links to the other pages': linksToPages,
  'no number of rows': withoutTotal,
  'smaller pages than requested': smallerPages,
  'no paging': withoutPaging,
  'the ID of a user as text': userIdAsText,
  'unknown fields': unknownFields,
  'flat errors': flatErrors,
  'errors in an envelope': errorsInEnvelope,
  'errors as problem documents': problems,
  'errors with a statusCode': errorsWithStatusCode,
  'errors as HTML pages': errorPages,
  'errors as text': errorTexts,
  'errors without a body': emptyErrors,
  '422 for what is invalid or taken': allOf(refusing('validation_failed', 422), refusing('conflict', 422)),
  '400 for what is taken': refusing('conflict', 400),
  'roles without a code': rolesWithoutCode,
  'the ID of a unit as a number': unitIdAsNumber,
  'no parent at the top': noParentAtTheTop,
  'the ID of a unit as a number, and no parent at the top': allOf(unitIdAsNumber, noParentAtTheTop),
  'no body after a synchronization': emptySync,
  '204 after a synchronization': allOf(emptySync, statusOf(202, 204)),
  'much in envelopes': allOf(
    userIdAsText,
    unitIdAsNumber,
    noParentAtTheTop,
    unknownFields,
    totalAs('total'),
    inEnvelope,
    listsInEnvelope,
    errorsInEnvelope,
    statusOf(201, 200),
    statusOf(204, 200),
  ),
  'as little as possible': allOf(
    smallerPages,
    withoutTotal,
    bareLists,
    refusing('conflict', 400),
    emptySync,
    statusOf(202, 204),
    statusOf(201, 202),
    errorPages,
  ),
};

/** Changes the rows of a response, in a list or alone. */
const eachRow =
  (path: string, change: (row: Row) => Row): Adapt =>
  ({ body, status, ...response }) => {
    const isOurs =
      response.path.startsWith(path) && status < 300 && typeof body === 'object' && body !== null;
    if (!isOurs) return body;
    const { items, ...rest } = body as { items?: Row[] };
    return items === undefined ? change(rest) : { ...rest, items: items.map(change) };
  };
const listIn =
  (name: string): Adapt =>
  ({ body }) => {
    const { [name]: items, ...rest } = (body ?? {}) as Row;
    return Array.isArray(items) ? { ...rest, items } : body;
  };
const renamed = (row: Row, names: Readonly<Record<string, string>>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value]));

/** Services with other shapes, each with the function that returns a usual one. */
const adaptedServices: Readonly<Record<string, readonly [Rewrite, Adapt]>> = {
  'a resource in data': [inData, ({ body }) => (body as Row | undefined)?.['data'] ?? body],
  'lists in data': [listsIn('data'), listIn('data')],
  'lists in value': [listsIn('value'), listIn('value')],
  'lists in results': [listsIn('results'), listIn('results')],
  'the number of rows in count': [
    totalAs('count'),
    ({ body }) => (body === undefined ? body : { ...body, totalCount: (body as Row)['count'] }),
  ],
  'the ID of a user in userId': [
    userIdNamed,
    eachRow('/v1/users', (user) => renamed(user, { userId: 'id' })),
  ],
  'audit records with eventType and eventTime': [
    auditNames(auditEvents),
    eachRow('/v1/audit-logs', (record) =>
      renamed(record, { eventType: 'actionType', eventTime: 'timestamp' }),
    ),
  ],
  'audit records with type, createdAt and properties as text': [
    allOf(auditDetailsAsText, auditNames(auditActivities)),
    eachRow('/v1/audit-logs', (record) => renamed(record, { type: 'actionType', createdAt: 'timestamp' })),
  ],
};

let portal: Portal;

beforeAll(async () => {
  portal = await createPortal();
});
afterAll(() => portal.close());

/** A client with its own tenant, behind a proxy that answers as another service would. */
const tenantBehind = async (rewrite: Rewrite, adapt?: Adapt) => {
  const tenant = await portal.createTenant();
  const proxy = await startRewritingProxy(tenant.baseUrl, rewrite);
  onTestFinished(proxy.close);
  const client = createPortalClient({
    baseUrl: proxy.url,
    apiKey: tenant.apiKey,
    adapt,
    embedding: {
      tenantUrl: tenant.tenantUrl,
      apiBaseUrl: tenant.apiBaseUrl,
      tenantId: tenant.tenantId,
      tenancyName: tenant.tenancyName,
      apiKey: tenant.apiKey,
      passPhrase: tenant.passPhrase,
    },
  });
  onTestFinished(() => client.close());
  return { tenant, client };
};
const unchanged: Rewrite = (request, pass) => pass(request);

const newUser = (number: number) => ({
  type: 'UserPass',
  email: `member-${number}@acme.example`,
  firstName: 'Member',
  lastName: `Number ${number}`,
  roles: ['Viewer'],
});

const all = async <TRow>(rows: AsyncIterable<TRow>): Promise<TRow[]> => {
  const read: TRow[] = [];
  for await (const row of rows) read.push(row);
  return read;
};

const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isPortalError(error)) throw new Error('No PortalError came.', { cause: error });
  return error;
};

const administerUsers = async (client: PortalClient) => {
  const before = await all(client.users.list());
  const created = [];
  for (let number = 1; number <= 7; number += 1) created.push(await client.users.create(newUser(number)));
  const [first] = created;
  if (first === undefined) throw new Error('No user was created.');
  const listed = await all(client.users.list({ pageSize: 3 }));
  expect(listed).toHaveLength(before.length + 7);
  expect(listed.map((user) => user.email)).toEqual(expect.arrayContaining(created.map((user) => user.email)));
  expect(await client.users.get(first.id)).toMatchObject({ ...newUser(1), id: first.id });
  expect(await client.users.update(first.id, { roles: [] })).toMatchObject({ id: first.id, roles: [] });
  expect(await client.users.delete(first.id)).toBeUndefined();
  expect(await failureOf(client.users.get(first.id))).toMatchObject({ kind: 'not_found' });
  expect((await failureOf(client.users.create(newUser(2)))).kind).toMatch(/^(?:conflict|invalid)$/);
  expect(await failureOf(client.users.create({ ...newUser(9), email: 'no address' }))).toMatchObject({
    kind: 'invalid',
  });
};

const administerTheRest = async (client: PortalClient) => {
  await client.roles.create({ name: 'Auditors', type: 'Report', description: 'May look.' });
  const roles = await all(client.roles.list());
  expect(roles.map((role) => role.name)).toEqual(
    expect.arrayContaining(['Viewer', 'Region North', 'Auditors']),
  );
  const unitNamed = async (wanted: string) =>
    (await all(client.organizationUnits.list())).find(({ name }) => name === wanted)?.id ?? '';
  const sales = await unitNamed('Sales');
  const unit = await client.organizationUnits.create({ name: 'Partners', parentId: sales });
  expect(await all(client.organizationUnits.list())).toContainEqual(
    expect.objectContaining({ id: unit.id, name: 'Partners', parentId: sales }),
  );
  expect(await client.organizationUnits.sync(await unitNamed('North'))).toBeTypeOf('object');
  expect((await all(client.items.list())).length).toBeGreaterThanOrEqual(4);
  expect((await all(client.tasks.list())).length).toBeGreaterThanOrEqual(1);
  expect((await all(client.links.list())).length).toBeGreaterThanOrEqual(1);
};

const readAudit = async (client: PortalClient) => {
  const records = await all(client.audit.list({ actionType: 'UserCreated', pageSize: 3 }));
  // Seven were created above; syncing a unit adds a few.
  expect(records.length).toBeGreaterThanOrEqual(7);
  expect(new Set(records.map((record) => record.id)).size).toBe(records.length);
  for (const record of records) {
    expect(record.actionType).toBe('UserCreated');
    expect(record.timestamp).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
  }
  const stop = new AbortController();
  const followed: AuditRecord[] = [];
  for await (const record of client.audit.follow({
    from: '2020-01-01',
    actionType: 'UserCreated',
    signal: stop.signal,
    onQuiet: () => stop.abort(),
  }))
    followed.push(record);
  expect(new Set(followed.map((record) => record.id))).toEqual(new Set(records.map((record) => record.id)));
  const times = followed.map((record) => record.timestamp ?? '');
  expect(times).toEqual(times.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
};

const synchronize = async (client: PortalClient) => {
  const users = [
    { ...newUser(2), lastName: 'Renamed' },
    { ...newUser(3), email: newUser(3).email.toUpperCase() },
    { ...newUser(50), organizationUnits: ['/Sales/Partners'] },
  ];
  const plan = await client.planSync({ users });
  expect(plan.counts).toMatchObject({ create: 1, update: 1, unchanged: 1, conflicts: 0 });
  expect(await client.applyPlan(plan)).toMatchObject({
    done: { create: 1, update: 1 },
    failed: [],
    drifted: [],
  });
  expect((await client.planSync({ users })).actions).toEqual([]);
};

describe('the client with a service', () => {
  const services = [
    ...Object.entries(otherServices).map(([name, rewrite]) => [name, rewrite, undefined] as const),
    ...Object.entries(adaptedServices).map(
      ([name, [rewrite, adapt]]) => [`${name}, with the option adapt`, rewrite, adapt] as const,
    ),
  ];
  it.each(services)('that has %s', async (...[, rewrite, adapt]) => {
    const { client, tenant } = await tenantBehind(rewrite, adapt);
    await administerUsers(client);
    await administerTheRest(client);
    await readAudit(client);
    await synchronize(client);
    const item = await client.items.find(tenant.items[0]?.id ?? 0);
    expect(await client.items.find(item.guid ?? '')).toMatchObject({ id: tenant.items[0]?.id });
    const { key } = await client.embeddedKeys.create({
      userId: 'north.manager@acme.example',
      itemId: tenant.items[0]?.id ?? 0,
      roleNames: [tenant.roleNames[0] ?? ''],
      lifetimeMs: 600_000,
    });
    expect(key.length).toBeGreaterThan(20);
  });

  it.each([
    ['number', 'guid', itemNumbersOnly],
    ['GUID', 'id', itemGuidsOnly],
  ] as const)(
    'that returns only half of an Item ID (the %s), without guessing the other half',
    async (half, other, rewrite) => {
      const { client, tenant } = await tenantBehind(rewrite);
      const known = half === 'number' ? tenant.items[0]?.id : tenant.items[0]?.guid;
      expect((await client.items.find(known ?? ''))[other]).toBeUndefined();
    },
  );

  it.each([
    ['a resource in data', '{ data }'],
    ['lists in data', '{ data, total'],
    ['lists in value', '{ value'],
    ['lists in results', '{ results'],
    ['the ID of a user in userId', '{ userId, type'],
  ])('that has %s, without the option adapt, and shows the shape that it saw', async (name, shape) => {
    const [rewrite] = adaptedServices[name] ?? [];
    if (rewrite === undefined) throw new Error(`There is no service "${name}".`);
    const { client } = await tenantBehind(rewrite);
    const read = async () => {
      await all(client.users.list());
      await client.users.create(newUser(1));
    };
    const { kind, message } = await failureOf(read());
    expect(kind).toBe('invalid_response');
    expect(message).toContain(`The body is ${shape}`);
    expect(message).not.toContain('acme.example');
  });

  it('that sends no body after a change, and reports that the change may have been made', async () => {
    const { client } = await tenantBehind(withoutBodyAfterChanges);
    expect(await failureOf(client.users.create(newUser(1)))).toMatchObject({ code: 'no_user' });
    expect((await all(client.users.list())).map((user) => user.email)).toContain(newUser(1).email);
  });

  it('that has unknown user types', async () => {
    const { client } = await tenantBehind(unknownUserTypes);
    expect((await all(client.users.list())).map((user) => user.type)).toContain('FederatedID');
  });

  it('that ignores paging and has more users than a page holds, which it reports', async () => {
    const { client } = await tenantBehind(withoutPaging);
    const users = Array.from({ length: 201 }, (_, number) => newUser(number));
    const result = await client.applyPlan(await client.planSync({ users }));
    expect(result.done.create).toBe(201);
    expect(await failureOf(all(client.users.list()))).toMatchObject({
      kind: 'paging',
      code: 'count_mismatch',
    });
  });
});

describe('in the request log of the portal', () => {
  it('a plan sends no write, and applying it sends one write per action', async () => {
    const { client, tenant } = await tenantBehind(unchanged);
    await portal.requests.clear();
    const plan = await client.planSync(
      {
        users: Array.from({ length: 20 }, (_, number) => newUser(number)),
        roles: [{ name: 'Auditors', type: 'Report' }],
        organizationUnits: [{ path: '/Customers/Initrode' }],
      },
      { missing: 'delete' },
    );
    const planned = await portal.requests.list();
    expect(planned.length).toBeGreaterThan(0);
    expect(planned.filter((request) => request.method !== 'GET')).toEqual([]);
    await client.applyPlan(plan);
    const writes = (await portal.requests.list()).filter((request) => request.method !== 'GET');
    expect(writes).toHaveLength(20 + 1 + 2);
    expect(JSON.stringify(await portal.requests.list())).not.toContain(tenant.apiKey);
  });
});
