import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from './administer.ts';
import { testDatabases } from './databases.ts';
import { mintKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

describe.each(await testDatabases('control_checks'))('the control interface on $name', (database) => {
  let portal: Portal;
  let tenant: PortalTenant;
  beforeAll(async () => {
    portal = await createPortal({ database: database.address });
    tenant = await portal.createTenant();
  });
  afterAll(async () => {
    await portal.close();
    await database.drop();
  });

  const control = async (target: string, body?: unknown) => {
    const [method = '', path = ''] = target.split(' ');
    const answer = await fetch(`${portal.url}/_control/tenants/${tenant.tenancyName}${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const refused = async (target: string, body?: unknown): Promise<readonly [number, readonly string[]]> => {
    const answer = await control(target, body);
    const errors = answer.body?.error?.validationErrors ?? [];
    return [answer.status, errors.flatMap(({ members }: { members: string[] }) => members)];
  };
  const lastRecord = async () => (await administer(tenant, 'GET /v1/audit-logs?pageSize=1')).body.items[0];

  it('keeps the address of a task with a secret of its own when the target of the others changes', async () => {
    const addresses = async () =>
      new Map(
        (await control('GET /lists/tasks?pageSize=200')).body.items.map(
          (task: { name: string; webhookUrl: string | null }) => [task.name, task.webhookUrl],
        ),
      );
    const own = { webhookUrl: 'http://own.example/hook', itemId: 1042, visualNames: ['kpi-units'] };
    await control('POST /tasks', { name: 'Own secret', secret: 'own-secret-1', ...own });
    await control('POST /tasks', { name: 'Shared secret', secret: tenant.webhookSecret, ...own });
    await control('PATCH ', { actionTarget: 'http://host.example/webhook' });
    const after = await addresses();
    expect(after.get('Own secret')).toBe('http://own.example/hook');
    // Control: a task that sends the tenant's secret follows the target.
    expect(after.get('Shared secret')).toBe('http://host.example/webhook');
  });

  describe('rejects a task that', () => {
    it.each([
      ['has neither an address nor an item', { name: 'Task' }, 'webhookUrl'],
      ['names an item of no tenant', { name: 'Task', itemId: 999_999 }, 'itemId'],
      [
        'is bound to visuals of no item',
        { name: 'Task', webhookUrl: 'http://a.example/', visualNames: ['kpi-units'] },
        'itemId',
      ],
      ['is a DAX query with an address', { kind: 'daxQuery', webhookUrl: 'http://a.example/' }, 'webhookUrl'],
      ['is a DAX query with a secret', { kind: 'daxQuery', itemId: 1042, secret: 'secret' }, 'secret'],
      [
        'names a visual that its report does not have',
        { name: 'Task', itemId: 1042, visualNames: ['kpi-units', 'none'] },
        'visualNames[1]',
      ],
    ])('%s', async (_, task, member) => {
      const before = await lastRecord();
      expect(await refused('POST /tasks', { name: 'Task', ...task })).toEqual([400, [member]]);
      expect(await lastRecord()).toEqual(before);
    });

    it('is changed to a visual of another report, or to an item of another tenant', async () => {
      const { body } = await control('POST /tasks', {
        name: 'Bound',
        itemId: 1042,
        visualNames: ['kpi-units'],
      });
      expect(await refused(`PATCH /tasks/${body.id}`, { visualNames: ['none'] })).toEqual([
        400,
        ['visualNames[0]'],
      ]);
      expect(await refused(`PATCH /tasks/${body.id}`, { itemId: 999_999 })).toEqual([400, ['itemId']]);
      expect((await control(`PATCH /tasks/${body.id}`, { enabled: false })).status).toBe(204);
    });
  });

  it('rejects an unknown role of an item', async () => {
    expect(await refused('PATCH /items/1042', { roles: ['Viewer', 'Nobody'] })).toEqual([400, ['roles[1]']]);
  });

  it('keeps the roles of an item in the spelling of the roles, each once', async () => {
    await administer(tenant, 'POST /v1/roles', { body: { name: 'R\u00F4le', type: 'Report' } });
    const sent = ['Ro\u0302le', 'VIEWER', 'viewer'];
    const item = {
      type: 'report',
      workspaceId: '2f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
      reportId: '7a0c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
      displayName: 'Spelled',
    };
    const imported = (await administer(tenant, 'POST /v1/items', { body: { ...item, roles: sent } })).body;
    expect(imported.roles).toEqual(['R\u00F4le', 'Viewer']);
    expect((await control(`PATCH /items/${imported.id}`, { roles: ['VIEWER'] })).status).toBe(204);
    expect((await lastRecord()).details).toEqual({
      changes: { roles: { from: ['R\u00F4le', 'Viewer'], to: ['Viewer'] } },
    });
    expect((await administer(tenant, 'GET /v1/items')).body.items.at(-1).roles).toEqual(['Viewer']);
    await control(`DELETE /items/${imported.id}`);
  });

  it('records the new rule of a role, which decides who sees which rows', async () => {
    const role = { name: 'Ruled', type: 'RLS', code: 'ruled' };
    const { id } = (await administer(tenant, 'POST /v1/roles', { body: role })).body;
    const rule = { kind: 'equals', column: 'region', value: 'North' };
    expect((await control(`PATCH /roles/${id}`, { rule })).status).toBe(204);
    expect((await lastRecord()).details).toEqual({ changes: { rule: { from: null, to: rule } } });
  });

  it('records a new name of a role once, and that a secret changed without either secret', async () => {
    const role = { name: 'Before', type: 'Report' };
    const { id } = (await administer(tenant, 'POST /v1/roles', { body: role })).body;
    await control(`PATCH /roles/${id}`, { name: 'After' });
    expect((await lastRecord()).details).toEqual({ changes: { name: { from: 'Before', to: 'After' } } });
    const task = await control('POST /tasks', { name: 'Kept', itemId: 1042, secret: 'first-secret' });
    expect((await lastRecord()).details).toMatchObject({ name: 'Kept', hasSecret: true });
    for (const secret of ['second-secret', null]) {
      expect((await control(`PATCH /tasks/${task.body.id}`, { enabled: true, secret })).status).toBe(204);
      expect((await lastRecord()).details).toEqual({ changes: {}, isSecretChanged: true });
    }
    const log = await administer(tenant, 'GET /v1/audit-logs?pageSize=200');
    expect(JSON.stringify(log.body)).not.toMatch(/(first|second)-secret/);
  });

  it('refuses a report without the visuals that tasks of the item are bound to', async () => {
    const refusal = await control('PATCH /items/1042', { report: 'orders' });
    expect([refusal.status, refusal.body.error.message]).toEqual([
      409,
      expect.stringMatching(/^report: .*"Open the region in the CRM".*revenue-by-region/),
    ]);
    expect((await control('PATCH /items/1042', { report: 'sales', displayName: 'Sales' })).status).toBe(204);
  });

  it('lists what belongs to the whole portal too: logs from their newest row, searched by “failed”', async () => {
    const { tenancyName, items } = tenant;
    await administer(tenant, 'GET /v1/roles');
    await administer({ ...tenant, apiKey: 'wrong' }, 'GET /v1/items');
    const list = async (target: string) => (await control(`GET /lists/${target}`)).body;
    const { items: newest, totalCount } = await list('requests?pageSize=2');
    expect(newest).toMatchObject([
      { path: '/v1/items', outcome: 'failed' },
      { path: '/v1/roles', outcome: 'answered' },
    ]);
    expect(totalCount).toBe((await portal.requests.list({ limit: 10_000 })).length);
    const failed = await list('requests?search=failed');
    expect(new Set(failed.items.map((row: { outcome: string }) => row.outcome))).toEqual(new Set(['failed']));
    expect(await list(`tenants?search=${tenancyName}&sort=tenancyName`)).toMatchObject({
      items: [{ tenancyName, items: items.map(({ id }) => ({ id })) }],
      totalCount: 1,
    });
    expect([await list('faults'), await list('deliveries')]).toMatchObject([{ items: [] }, { items: [] }]);
    // What is no list.
    for (const name of ['clock', 'seed', 'constructor', 'lists'])
      expect((await control(`GET /lists/${name}`)).status).toBe(404);
  });

  it('records no change that changes nothing', async () => {
    const firstOf = async (list: string) => (await control(`GET /lists/${list}`)).body.items[0];
    const [role, task, unit] = await Promise.all(['roles', 'tasks', 'organization-units'].map(firstOf));
    const before = await lastRecord();
    for (const [target, body] of [
      ['PATCH ', { frameAncestors: '*' }],
      ['PATCH /items/1042', { roles: ['VIEWER'], hasRls: true }],
      [`PATCH /roles/${role.id}`, { name: role.name, description: role.description }],
      [`PATCH /tasks/${task.id}`, { name: task.name, visualNames: task.visualNames, enabled: true }],
      [`PATCH /organization-units/${unit.id}`, { name: unit.name, parentId: unit.parentId }],
    ] as const) {
      expect([target, (await control(target, body)).status]).toEqual([target, 204]);
      expect([target, await lastRecord()]).toEqual([target, before]);
    }
    await administer(tenant, 'POST /v1/roles', { body: { name: 'Afterwards', type: 'Report' } });
    expect((await lastRecord()).id).toBe(before.id + 1);
  });

  it('refuses a directory in which two people have one address', async () => {
    const person = (last: number, email: string) => ({
      id: `5d3ab0f1-2f5e-4a17-8d0b-93a2f2f8b00${last}`,
      email,
      firstName: 'One',
      lastName: 'Address',
    });
    const people = [person(1, 'one@acme.example'), person(2, 'ONE@acme.example')];
    expect(await refused('PUT /directory', { people, groups: [] })).toEqual([400, ['people[1].email']]);
  });

  it.each([
    [{ displayName: 'Renamed' }],
    [{ hasRls: true }],
    [{ report: 'orders' }],
    [{ displayName: 'All', roles: [], hasRls: false, report: 'operations' }],
    [{ type: 'scorecard', workspaceId: '6f1d2c3b-4a5e-4f60-8b7c-9d0e1f2a3b4c' }],
    [{ reportId: '6f1d2c3b-4a5e-4f60-8b7c-9d0e1f2a3b4d', additionalData: [] }],
  ])('changes of an item only what is sent: %j', async (sent) => {
    const items = async () => (await control('GET /lists/items')).body.items;
    const before = await items();
    const changed = before.map((item: { id: number }) => (item.id === 1045 ? { ...item, ...sent } : item));
    expect(changed).not.toEqual(before);
    expect((await control('PATCH /items/1045', sent)).status).toBe(204);
    expect(await items()).toEqual(changed);
    const old = before.find((item: { id: number }) => item.id === 1045);
    const changes = Object.entries(sent).filter(([name, to]) => String(old[name]) !== String(to));
    expect((await lastRecord()).details.changes).toEqual(
      Object.fromEntries(changes.map(([name, to]) => [name, { from: old[name], to }])),
    );
  });

  it('shows an item that was changed to another report, with or without a row filter', async () => {
    const body = { itemId: 1043, userId: 'nobody@acme.example' };
    const key = (await control('POST /keys', body)).body.key;
    const rows = async () => {
      const page = await askTenant(tenant.tenantUrl, `/report/1043?ev=${encodeURIComponent(key)}`);
      const [, model = '{}'] = /id="report-model">(.*?)<\/script>/.exec(page.body) ?? [];
      const { table } = JSON.parse(model);
      return [table.name, table.rowCount > 0];
    };
    expect(await rows()).toEqual(['Operations', true]);
    await control('PATCH /items/1043', { report: 'orders', hasRls: true });
    expect(await rows()).toEqual(['Orders', false]);
    await control('PATCH /items/1043', { hasRls: false });
    expect(await rows()).toEqual(['Orders', true]);
  });

  it.each([
    [{ displayName: '' }, 'displayName'],
    [{ report: 'none' }, 'report'],
    [{ hasRls: 'yes' }, 'hasRls'],
    [{ workspaceId: 'none' }, 'workspaceId'],
    [{ guid: '6f1d2c3b-4a5e-4f60-8b7c-9d0e1f2a3b4c' }, 'guid'],
  ])('rejects the change %j of an item', async (sent, member) => {
    expect(await refused('PATCH /items/1042', sent)).toEqual([400, [member]]);
    expect((await control('PATCH /items/999999', { displayName: 'None' })).status).toBe(404);
  });

  it('refuses to give an item the report of another', async () => {
    const { items } = (await control('GET /lists/items')).body;
    const { workspaceId, reportId } = items.find(({ id }: { id: number }) => id === 1042);
    expect(await refused('PATCH /items/1044', { workspaceId, reportId })).toEqual([409, ['reportId']]);
    expect((await control('PATCH /items/1042', { workspaceId, reportId })).status).toBe(204);
  });

  it('lists API keys until they are revoked, without the keys', async () => {
    const permissions = ['Administration.Users'];
    const issued = (await control('POST /api-keys', { name: 'Listed', permissions })).body;
    const listed = async () => (await control('GET /api-keys')).body.items;
    expect(await listed()).toContainEqual({
      id: issued.id,
      name: 'Listed',
      permissions,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(JSON.stringify(await listed())).not.toContain(issued.apiKey);
    expect((await control(`DELETE /api-keys/${issued.id}`)).status).toBe(204);
    expect((await listed()).map(({ name }: { name: string }) => name)).not.toContain('Listed');
    for (const id of [issued.id, 999_999, 'x'])
      expect((await control(`DELETE /api-keys/${id}`)).status).toBe(404);
    expect(
      await refused('POST /api-keys', { name: 'Wrong', permissions: [...permissions, 'Everything'] }),
    ).toEqual([400, ['permissions[1]']]);
  });

  it('offers the API key of a seed until it is revoked', async () => {
    const known = async () => {
      const { items } = await (await fetch(`${portal.url}/_control/tenants`)).json();
      return items.find(({ tenancyName }: PortalTenant) => tenancyName === 'globex');
    };
    const before = await known();
    expect(before.apiKey).toMatch(/^development-only-api-key/);
    const keys = `${portal.url}/_control/tenants/globex/api-keys`;
    for (const { id } of (await (await fetch(keys)).json()).items)
      await fetch(`${keys}/${id}`, { method: 'DELETE' });
    expect(await known()).toEqual({ ...before, apiKey: '' });
  });

  it('links a unit to its group whatever the case of their GUIDs', async () => {
    const id = 'AbCdEf01-2345-4678-9abc-DEF012345678';
    const person = {
      id: id.replace('A', 'C'),
      email: 'guid@acme.example',
      firstName: 'Guid',
      lastName: 'Case',
    };
    const directory = {
      people: [person],
      groups: [{ id, name: 'Group', members: [person.id.toUpperCase()] }],
    };
    expect((await control('PUT /directory', directory)).status).toBe(204);
    const body = { name: 'By GUID', parentId: 'root', directoryGroupId: id.toLowerCase() };
    const unit = (await administer(tenant, 'POST /v1/organization-units', { body })).body;
    const sync = await administer(tenant, `POST /v1/organization-units/${unit.id}/sync`);
    expect(sync.body).toMatchObject({ added: 1 });
  });

  it('records who came, who left and what changed with a synchronization', async () => {
    const id = 'ab12ef01-2345-4678-9abc-def012345678';
    const person = (last: number, email: string) => ({
      id: `5d3ab0f1-2f5e-4a17-8d0b-93a2f2f8c00${last}`,
      email,
      firstName: 'In',
      lastName: 'Sync',
    });
    const sync = async (people: readonly { readonly id: string }[]) => {
      const members = people.map((one) => one.id);
      await control('PUT /directory', { people, groups: [{ id, name: 'Group', members }] });
      await administer(tenant, `POST /v1/organization-units/${unit.id}/sync`);
      const { items } = (await administer(tenant, 'GET /v1/audit-logs?pageSize=2')).body;
      return items.map(({ details }: { details: object }) => details);
    };
    const body = { name: 'Synced', parentId: 'root', directoryGroupId: id };
    const unit = (await administer(tenant, 'POST /v1/organization-units', { body })).body;
    const [first] = await sync([person(1, 'sync1@acme.example'), person(2, 'sync2@acme.example')]);
    expect([first.addedIds.length, first.removedIds]).toEqual([2, []]);
    const [second, updated] = await sync([person(1, 'sync3@acme.example')]);
    expect(second).toMatchObject({ addedIds: [], removedIds: [first.addedIds[1]], removed: 1 });
    expect(updated).toEqual({
      changes: { email: { from: 'sync1@acme.example', to: 'sync3@acme.example' } },
    });
  });

  describe('compares names', () => {
    const nfc = 'R\u00E9gion';
    const nfd = 'Re\u0301gion';

    it('of roles and units in NFC', async () => {
      const role = (name: string) => administer(tenant, 'POST /v1/roles', { body: { name, type: 'Report' } });
      const unit = (name: string) =>
        administer(tenant, 'POST /v1/organization-units', { body: { name, parentId: 'root' } });
      expect([(await role(nfc)).status, (await role(nfd)).status]).toEqual([201, 409]);
      expect([(await unit(nfd)).status, (await unit(nfc)).status]).toEqual([201, 409]);
      const user = {
        type: 'UserPass',
        email: 'nfd@acme.example',
        firstName: 'N',
        lastName: 'D',
        roles: [nfd],
      };
      expect((await administer(tenant, 'POST /v1/users', { body: user })).body.roles).toEqual([nfc]);
    });

    it('of codes of roles too, which stay two roles only if they differ', async () => {
      const role = (code: string) =>
        administer(tenant, 'POST /v1/roles', {
          body: { name: `Code ${code.length}${code}`, type: 'RLS', code },
        });
      expect((await role(nfc)).status).toBe(201);
      expect((await role(nfd)).status).toBe(409);
      expect((await role(`${nfc} 2`)).status).toBe(201);
    });

    it.each(['\u200B', '\u2060\u200D', '\u3164', '\u2800', ' \u00AD '])(
      'and rejects one without a glyph: %j',
      async (name) => {
        for (const [path, body] of [
          ['users', { type: 'UserPass', email: 'nobody@acme.example', firstName: name, lastName: 'D' }],
          ['roles', { name, type: 'Report' }],
          ['roles', { name: 'Unseen code', type: 'RLS', code: name }],
          ['organization-units', { name, parentId: 'root' }],
        ] as const)
          expect([path, (await administer(tenant, `POST /v1/${path}`, { body })).status]).toEqual([
            path,
            400,
          ]);
        const joined = { name: `\u{1F469}\u200D\u{1F4BB} ${name.length}`, type: 'Report' };
        expect((await administer(tenant, 'POST /v1/roles', { body: joined })).status).toBeOneOf([201, 409]);
      },
    );
  });

  it("ends a removed user's keys, and no others", async () => {
    const user = { type: 'UserPass', email: 'Leaving@acme.example', firstName: 'L', lastName: 'G' };
    const { id } = (await administer(tenant, 'POST /v1/users', { body: user })).body;
    const [own, other] = await Promise.all(
      ['leaving@acme.example', 'staying@acme.example'].map((userId) =>
        mintKey({ tenant, itemId: 1042, userId }),
      ),
    );
    const open = async (key = '') =>
      (await askTenant(tenant.tenantUrl, `/report/1042?ev=${encodeURIComponent(key)}`)).status;
    expect([await open(own), await open(other)]).toEqual([200, 200]);
    expect((await administer(tenant, `DELETE /v1/users/${id}`)).status).toBe(204);
    expect([await open(own), await open(other)]).toEqual([403, 200]);
    const { items } = (await administer(tenant, 'GET /v1/audit-logs?actionType=UserDeleted&pageSize=1')).body;
    expect(items[0].details.revokedLinks).toHaveLength(1);
  });

  it('ends the keys of a removed user who had another address when they were issued', async () => {
    const user = { type: 'UserPass', email: 'before@acme.example', firstName: 'B', lastName: 'E' };
    const { id } = (await administer(tenant, 'POST /v1/users', { body: user })).body;
    const key = await mintKey({ tenant, itemId: 1042, userId: user.email });
    const open = async () =>
      (await askTenant(tenant.tenantUrl, `/report/1042?ev=${encodeURIComponent(key)}`)).status;
    await administer(tenant, `PATCH /v1/users/${id}`, { body: { email: 'after@acme.example' } });
    const other = (await administer(tenant, 'POST /v1/users', { body: user })).body;
    await administer(tenant, `DELETE /v1/users/${other.id}`);
    expect(await open()).toBe(200);
    await administer(tenant, `DELETE /v1/users/${id}`);
    expect(await open()).toBe(403);
  });
});
