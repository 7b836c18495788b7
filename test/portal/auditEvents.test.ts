import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditActionTypes } from '../../src/portal/lib/auditTypes.ts';
import { administer } from './administer.ts';
import { testDatabases } from './databases.ts';
import { mintKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

describe.each(await testDatabases('audit_events'))('on $name', (database) => {
  let portal: Portal;
  let tenant: PortalTenant;
  let receiverStatus = 204;
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(receiverStatus).end();
  });

  beforeAll(async () => {
    portal = await createPortal({ database: database.address });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    tenant = await portal.createTenant();
    await portal.setActionTarget(
      tenant.tenancyName,
      `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    );
  });
  afterAll(async () => {
    receiver.close();
    await portal.close();
    await database.drop();
  });

  const control = (target: string, body?: unknown): Promise<Response> => {
    const [method = 'GET', path = ''] = target.split(' ');
    return fetch(`${portal.url}/_control/tenants/${tenant.tenancyName}${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  };
  const post = async (path: string, body?: unknown) =>
    (await administer(tenant, `POST /v1/${path}`, { body })).body;
  const newest = async (actionType: string) =>
    (await administer(tenant, `GET /v1/audit-logs?actionType=${actionType}&pageSize=1`)).body.items[0];
  const viewer = { itemId: 1042, roleNames: ['region-north'], userId: 'viewer@elsewhere.example' };
  const callPage = (key: string, call: string, body?: unknown) =>
    askTenant(tenant.tenantUrl, `/report/1042/${call}`, {
      method: 'POST',
      headers: { authorization: `ReportKey ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  describe('the audit log', () => {
    it('contains every documented event type after the action that writes it', async () => {
      const user = {
        type: 'UserPass',
        email: 'event@acme.example',
        firstName: 'Event',
        lastName: 'User',
      };
      const { id } = await post('users', user);
      await administer(tenant, `PATCH /v1/users/${id}`, { body: { firstName: 'Other' } });
      await administer(tenant, `DELETE /v1/users/${id}`);
      const evening = await post('roles', { name: 'Evening', type: 'RLS', code: 'evening' });
      const rule = { kind: 'all' };
      expect((await control(`PATCH /roles/${evening.id}`, { rule })).status).toBe(204);
      const { items: units } = (await administer(tenant, 'GET /v1/organization-units')).body;
      const { directoryGroupId } = units.find((unit: any) => unit.directoryGroupId !== null);
      const unit = await post('organization-units', { name: 'Unit', parentId: 'root', directoryGroupId });
      await post(`organization-units/${unit.id}/sync`);
      expect((await control(`PATCH /organization-units/${unit.id}`, { name: 'Other' })).status).toBe(204);
      expect((await control(`DELETE /organization-units/${unit.id}`)).status).toBe(204);
      const item = await post('items', {
        type: 'report',
        workspaceId: '2f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
        reportId: '7a0c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
        displayName: 'Imported',
      });
      const key = await mintKey({ tenant, ...viewer });
      await askTenant(tenant.tenantUrl, `/report/1042?ev=${encodeURIComponent(key)}`);
      expect((await callPage(key, 'export')).status).toBe(200);
      const action = {
        visual: 'revenue-by-region',
        columns: ['Region'],
        points: [['North']],
        filters: [],
      };
      for (receiverStatus of [204, 500]) {
        const before = (await portal.deliveries.list({ tenancyName: tenant.tenancyName })).length;
        expect((await callPage(key, 'actions', action)).status).toBe(202);
        await portal.deliveries.waitFor({ tenancyName: tenant.tenancyName }, { count: before + 1 });
      }
      const create = async (path: string, body: object) =>
        (await (await control(`POST /${path}`, body)).json()).id;
      const task = await create('tasks', { name: 'Own', itemId: item.id, secret: 'kept out of the log' });
      const apiKey = await create('api-keys', { name: 'Own', permissions: ['Administration.Users'] });
      const { items: roles } = (await administer(tenant, 'GET /v1/roles')).body;
      const { items: links } = (await administer(tenant, 'GET /v1/links')).body;
      for (const [call, body] of [
        [`PATCH /tasks/${task}`, { enabled: false }],
        [`DELETE /tasks/${task}`],
        [`DELETE /api-keys/${apiKey}`],
        [`DELETE /roles/${roles.at(-1).id}`],
        [`PATCH /items/${item.id}`, { roles: ['Viewer'] }],
        ['PUT /directory', { people: [], groups: [] }],
        ['PATCH ', { frameAncestors: 'https://host.example' }],
        [`DELETE /items/${item.id}`],
        [`DELETE /links/${links.at(-1).id}`],
      ] as const)
        expect([call, (await control(call, body)).status]).toEqual([call, 204]);

      const { items } = (await administer(tenant, 'GET /v1/audit-logs?pageSize=200')).body;
      const written = new Set<string>(items.map((record: { actionType: string }) => record.actionType));
      expect([...written].toSorted()).toEqual(auditActionTypes.toSorted());
      expect(JSON.stringify(items)).not.toContain('kept out of the log');
      const actors = new Set<string>(items.map((record: { userEmail: string }) => record.userEmail));
      expect([...actors].toSorted()).toEqual(
        ['control interface', `administrator@acme.example`, viewer.userId].toSorted(),
      );
    });

    it('identifies the viewer of a report by the number that webhooks call currentUser', async () => {
      const [delivery] = await portal.deliveries.list({ tenancyName: tenant.tenancyName });
      const { currentUser } = JSON.parse(delivery?.body ?? '{}').metadata;
      const viewed = await newest('ReportViewed');
      expect([viewed.userId, viewed.userEmail]).toEqual([currentUser, viewer.userId]);
      const { totalCount } = (await administer(tenant, `GET /v1/audit-logs?userId=${currentUser}`)).body;
      // A view, an export, and both clicks.
      expect(totalCount).toBe(4);
      for (const type of ['TaskExecuted', 'TaskFailed'])
        expect(await newest(type)).toMatchObject({
          userId: currentUser,
          userEmail: viewer.userId,
          details: { visual: 'revenue-by-region' },
        });
    });
  });

  it('names who lost what with a removed role, unit or item', async () => {
    const role = await post('roles', { name: 'Passing', type: 'Report' });
    const unit = await post('organization-units', { name: 'Passing', parentId: 'root' });
    const item = await post('items', {
      type: 'report',
      workspaceId: '2f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
      reportId: '8a0c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
      displayName: 'Passing',
      roles: ['Passing', 'Viewer'],
    });
    const user = await post('users', {
      type: 'UserPass',
      email: 'holder@acme.example',
      firstName: 'Role',
      lastName: 'Holder',
      roles: ['Passing'],
      organizationUnits: [unit.id],
    });
    const create = async (path: string, body: object) => (await control(`POST /${path}`, body)).json();
    const { id: taskId } = (await create('tasks', { name: 'Passing', itemId: item.id })) as { id: number };
    await mintKey({ tenant, itemId: item.id });
    const links = (await administer(tenant, 'GET /v1/links')).body.items;
    await control(`DELETE /roles/${role.id}`);
    expect((await newest('RoleRemoved')).details).toEqual({ userIds: [user.id], itemIds: [item.id] });
    await control(`DELETE /organization-units/${unit.id}`);
    expect((await newest('OrganizationUnitRemoved')).details).toEqual({ userIds: [user.id] });
    await control(`DELETE /items/${item.id}`);
    expect((await newest('ItemRemoved')).details).toEqual({
      revokedLinks: [links.at(-1).id],
      taskIds: [taskId],
    });
  });

  it('records a click on a task that has no address, as a failure', async () => {
    const fresh = await portal.createTenant();
    const key = await mintKey({ tenant: fresh, itemId: 1042 });
    const answer = await askTenant(fresh.tenantUrl, '/report/1042/actions', {
      method: 'POST',
      headers: { authorization: `ReportKey ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ visual: 'revenue-by-region', columns: [], points: [], filters: [] }),
    });
    expect(answer.status).toBe(202);
    const [delivery] = await portal.deliveries.waitFor({ tenancyName: fresh.tenancyName });
    expect(delivery).toMatchObject({
      outcome: 'failed',
      url: '(no address)',
      error: 'the task has no address',
    });
    const { items } = (await administer(fresh, 'GET /v1/audit-logs?actionType=TaskFailed')).body;
    expect(items).toMatchObject([
      {
        description: 'The webhook of the task "Open the region in the CRM" failed: the task has no address.',
        result: 'failure',
      },
    ]);
  });

  it('writes one spelling of a user, whatever spelling a key has', async () => {
    const key = await mintKey({ tenant, itemId: 1042, userId: 'Administrator@ACME.example' });
    await askTenant(tenant.tenantUrl, `/report/1042?ev=${encodeURIComponent(key)}`);
    expect((await newest('ReportViewed')).userEmail).toBe('administrator@acme.example');
  });

  describe('a report export', () => {
    it('contains exactly the rows of its key as CSV, and is recorded', async () => {
      const key = await mintKey({ tenant, ...viewer });
      const answer = await callPage(key, 'export');
      expect(answer.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="report-1042.csv"',
        'cache-control': 'no-store',
      });
      const [head, ...rows] = answer.body.replace('\uFEFF', '').trimEnd().split('\r\n');
      expect(head).toBe('Month,Region,Product,Channel,Units,Revenue,Margin');
      expect(rows.length).toBeGreaterThan(100);
      expect(new Set(rows.map((row) => row.split(',')[1]))).toEqual(new Set(['North']));
      expect(await newest('ReportExported')).toMatchObject({
        userEmail: viewer.userId,
        resourceId: '1042',
        result: 'success',
        details: { format: 'csv', rowCount: rows.length, roleNames: ['region-north'] },
      });
    });

    it('is rejected without a key that opens the report, and leaves no record', async () => {
      const count = async () =>
        (await administer(tenant, 'GET /v1/audit-logs?actionType=ReportExported')).body.totalCount;
      const before = await count();
      const ofAnother = await mintKey({ tenant, itemId: 1043 });
      for (const key of ['', 'nonsense', ofAnother]) expect((await callPage(key, 'export')).status).toBe(403);
      expect(await count()).toBe(before);
    });
  });

  describe('an RLS role created through the interface', () => {
    it('shows no rows until its rule is set through the control interface', async () => {
      const night = await post('roles', { name: 'Night', type: 'RLS', code: 'night' });
      const key = await mintKey({ tenant, itemId: 1042, roleNames: ['night'] });
      const rows = async () => (await callPage(key, 'export')).body.trimEnd().split('\r\n').length - 1;
      expect(await rows()).toBe(0);
      const rule = { kind: 'equals', column: 'region', value: 'South' };
      await control(`PATCH /roles/${night.id}`, { rule });
      expect(await rows()).toBeGreaterThan(100);
    });
  });

  describe('a removed item', () => {
    it('is not listed or opened, its links expire, and no task can be bound to it', async () => {
      const key = await mintKey({ tenant, itemId: 1043 });
      expect((await control('DELETE /items/1043')).status).toBe(204);
      expect((await control('DELETE /items/1043')).status).toBe(404);
      const list = async (name: string) => (await administer(tenant, `GET /v1/${name}`)).body.items;
      expect((await list('items')).map((item: { id: number }) => item.id)).not.toContain(1043);
      for (const name of ['links', 'tasks'])
        expect((await list(name)).map((one: { reportId: number }) => one.reportId)).not.toContain(1043);
      const page = await askTenant(tenant.tenantUrl, `/report/1043?ev=${encodeURIComponent(key)}`);
      expect([page.status, page.body.includes('data-portal-state="unknown"')]).toEqual([404, true]);
    });
  });

  it('names the API key of a removed user, and no user', async () => {
    const { items } = (await administer(tenant, 'GET /v1/users')).body;
    const { id } = items.find(({ email }: { email: string }) => email === 'administrator@acme.example');
    expect((await administer(tenant, `DELETE /v1/users/${id}`)).status).toBe(204);
    await post('roles', { name: 'Afterwards', type: 'Report' });
    expect(await newest('RoleCreated')).toMatchObject({ userId: null, userEmail: 'API key "Development"' });
  });
});
