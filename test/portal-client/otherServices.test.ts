import { createPortal, type Portal } from '@vitrine/portal';
import {
  type Adapt,
  type AuditRecord,
  createPortalClient,
  isPortalError,
  type PortalClient,
} from '@vitrine/portal-client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Rewrite, startRewritingProxy } from '../support/rewritingProxy.ts';
import {
  adaptedServices,
  itemGuidsOnly,
  itemNumbersOnly,
  otherServices,
  unknownUserTypes,
  withoutBodyAfterChanges,
  withoutPaging,
} from './support/otherServices.ts';

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
    ['a resource in data', '{ data: { id: number, type: string'],
    ['lists in data', '{ data: [{ id: number, type: string'],
    ['lists in value', '{ value: [{ id: number, type: string'],
    ['lists in results', '{ results: [{ id: number, type: string'],
    ['the ID of a user in userId', '{ userId: number, type: string'],
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
    expect(message).toContain(`Its shape is ${shape}`);
    expect(message).not.toContain('acme.example');
  });

  it('that sends no body after a change, and reports that the change may have been made', async () => {
    const { client } = await tenantBehind(withoutBodyAfterChanges);
    expect(await failureOf(client.users.create(newUser(1)))).toMatchObject({ code: 'no_user' });
    expect((await all(client.users.list())).map((user) => user.email)).toContain(newUser(1).email);
  });

  it('that has unknown user types, and reports a type that comes back changed', async () => {
    const { client } = await tenantBehind(unknownUserTypes);
    expect((await all(client.users.list())).map((user) => user.type)).toContain('FederatedID');
    const result = await client.applyPlan(await client.planSync({ users: [newUser(1)] }));
    expect(result.failed).toMatchObject([
      { message: expect.stringContaining('returned other values for type') },
    ]);
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
