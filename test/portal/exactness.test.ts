import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { quoteText } from '@vitrine/contract';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { createPortalClient, type PortalError } from '@vitrine/portal-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from './administer.ts';
import { testDatabases } from './databases.ts';
import { mintKey, requestKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

const guid = (last: number) => `2f1c8f4e-3f0a-4c55-9b0e-${String(last).padStart(12, '0')}`;
const embedding = ['Administration.ItemLinks.BiItems', 'Administration.BiReports.Create'];

describe.each(await testDatabases('exactness'))('the portal on $name', (database) => {
  let portal: Portal;
  let acme: PortalTenant;

  beforeAll(async () => {
    portal = await createPortal({ database: database.address });
    acme = await portal.createTenant();
  });
  afterAll(async () => {
    await portal.close();
    await database.drop();
  });

  const post = (path: string, body: unknown) => administer(acme, `POST /v1/${path}`, { body });
  const person = (email: string) => ({ type: 'UserPass', email, firstName: 'Some', lastName: 'Body' });
  const fieldsOf = (answer: { body: any }) =>
    answer.body.error.validationErrors.flatMap(({ members }: { members: string[] }) => members);
  const keyWith = async (permissions: readonly string[]): Promise<PortalTenant> => {
    const answer = await fetch(`${portal.url}/_control/tenants/${acme.tenancyName}/api-keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Chosen', permissions }),
    });
    return { ...acme, apiKey: ((await answer.json()) as { apiKey: string }).apiKey };
  };
  const newestNotes = async (kind: string) => (await portal.requests.list({ kind })).at(-1)?.notes;

  it('names each request in its response, as in its own log', async () => {
    const client = createPortalClient({ baseUrl: portal.url, apiKey: acme.apiKey });
    const created = await client.roles.create({ name: 'Named', type: 'Report' }).withResponse();
    const failed = await client.users.get(999_999).catch((error: unknown) => error);
    await client.close();
    const logged = (await portal.requests.list()).slice(-2).map(({ requestId }) => requestId);
    const requestIdOf = ({ stats }: Pick<PortalError, 'stats'>) => stats?.requestId;
    expect([requestIdOf(created), requestIdOf(Object(failed))]).toEqual(logged);
  });

  describe('item types', () => {
    it('accept any text and keep its case (docs/interface.md#2.4)', async () => {
      const item = {
        type: 'PaginatedReport',
        workspaceId: guid(1),
        reportId: guid(2),
        displayName: 'Paginated',
        roles: [],
        additionalData: [{ type: 'DataFlow', id: guid(3), hasRls: false }],
      };
      const { status, body } = await post('items', item);
      expect(status).toBe(201);
      expect(body).toMatchObject(item);
    });
  });

  describe('an API key with embedding permissions', () => {
    it('is accepted as the Bearer token of the administration API (docs/interface.md#5)', async () => {
      const tenant = await keyWith(embedding);
      for (const path of ['users', 'roles', 'organization-units', 'items', 'tasks', 'links', 'audit-logs'])
        expect([path, (await administer(tenant, `GET /v1/${path}`)).status]).toEqual([path, 200]);
    });

    it('is limited to the finer permissions that it lists, and a 403 names the missing one', async () => {
      const tenant = await keyWith([...embedding, 'Administration.Users']);
      expect((await administer(tenant, 'GET /v1/users')).status).toBe(200);
      const refused = await administer(tenant, 'GET /v1/audit-logs');
      expect(refused.status).toBe(403);
      expect(refused.body.error.message).toContain('Administration.AuditLogs');
    });

    it('requires both permissions', async () => {
      const tenant = await keyWith(embedding.slice(1));
      const refused = await administer(tenant, 'GET /v1/users');
      expect(refused.status).toBe(403);
      expect(refused.body.error.message).toContain('Administration.Users');
    });
  });

  describe('a created role, unit or item', () => {
    it('omits the Location header, because nothing is served under its ID', async () => {
      const created = [
        await post('roles', { name: 'Located', type: 'Report' }),
        await post('organization-units', { name: 'Located', parentId: 'root' }),
        await post('items', {
          type: 'report',
          workspaceId: guid(4),
          reportId: guid(5),
          displayName: 'Located',
        }),
      ];
      expect(created.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(created.map(({ headers }) => headers.get('location'))).toEqual([null, null, null]);
    });

    it('is created once: the same unit and the same item get 409', async () => {
      const { body: parent } = await post('organization-units', { name: 'Parent', parentId: 'root' });
      const unit = { name: 'Child', parentId: parent.id };
      const item = { type: 'report', workspaceId: guid(6), reportId: guid(7), displayName: 'Once' };
      expect((await post('organization-units', unit)).status).toBe(201);
      expect((await post('organization-units', { ...unit, parentId: 'root' })).status).toBe(201);
      expect((await post('items', item)).status).toBe(201);
      expect((await post('items', { ...item, reportId: guid(8) })).status).toBe(201);
      const sameUnit = await post('organization-units', unit);
      const sameItem = await post('items', { ...item, workspaceId: item.workspaceId.toUpperCase() });
      expect([sameUnit.status, sameItem.status]).toEqual([409, 409]);
      expect([fieldsOf(sameUnit), fieldsOf(sameItem)]).toEqual([['name'], ['reportId']]);
    });
  });

  describe('email addresses', () => {
    const accepted = ['zoë@bücher.example', '用户@例子.广告', 'root@localhost', "o'hara+tag@acme.example"];
    const rejected = ['no address', '@acme.example', 'two@at@acme.example', 'a\u200bb@acme.example', 'a@b c'];

    it('may be internationalized and may have a single-label domain', async () => {
      const { status: longest } = await post('users', person(`${'l'.repeat(243)}@acme.example`));
      const { status: tooLong } = await post('users', person(`${'l'.repeat(244)}@acme.example`));
      expect([longest, tooLong]).toEqual([201, 400]);
      for (const email of accepted)
        expect([email, (await post('users', person(email))).status]).toEqual([email, 201]);
      for (const email of rejected) {
        const answer = await post('users', person(email));
        expect([email, answer.status, fieldsOf(answer)]).toEqual([email, 400, ['email']]);
        expect(answer.body.error.message).toBe(`email: must be an email address, not ${quoteText(email)}`);
      }
    });

    it('identify the same user in every spelling', async () => {
      const first = await post('users', person('jürgen@bücher.example'));
      const spellings = [
        'JÜRGEN@bücher.example',
        'jürgen@xn--bcher-kva.example',
        'ju\u0308rgen@bu\u0308cher.example',
      ];
      for (const email of spellings)
        expect([email, (await post('users', person(email))).status]).toEqual([email, 409]);
      const { status } = await administer(acme, `PATCH /v1/users/${first.body.id}`, {
        body: { email: spellings[1] },
      });
      expect([first.status, status]).toEqual([201, 200]);
    });

    it('are accepted in plans of the client exactly when the portal accepts them', async () => {
      const client = createPortalClient({ baseUrl: acme.baseUrl, apiKey: acme.apiKey });
      const emails = [...accepted, ...rejected].map((email) => `plan.${email}`);
      const plan = await client.planSync({ users: emails.map(person) });
      await client.close();
      const planned = plan.actions.flatMap((one) =>
        one.resource === 'user' && one.action === 'create' ? one.email : [],
      );
      const created: string[] = [];
      for (const email of emails)
        if ((await post('users', person(email))).status === 201) created.push(email);
      expect(planned.toSorted()).toEqual(created.toSorted());
      expect(planned.length + plan.conflicts.length).toBe(emails.length);
    });
  });

  describe('PATCH of a user', () => {
    it('accepts a complete returned user and ignores read-only fields', async () => {
      const { body: user } = await post('users', person('whole@acme.example'));
      const { status, body } = await administer(acme, `PATCH /v1/users/${user.id}`, {
        body: { ...user, firstName: 'Changed' },
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: user.id, firstName: 'Changed', displayName: 'Changed Body' });
    });

    it('names each changed read-only field, and changes nothing', async () => {
      const { body: user } = await post('users', person('kept@acme.example'));
      const path = `/v1/users/${user.id}`;
      const answer = await administer(acme, `PATCH ${path}`, {
        body: { ...user, firstName: 'Changed', isActive: false, id: user.id + 1 },
      });
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual(['id', 'isActive']);
      expect((await administer(acme, `GET ${path}`)).body).toEqual(user);
    });
  });

  it('does not reuse the number of a removed item', async () => {
    const item = { type: 'report', workspaceId: guid(20), reportId: guid(21), displayName: 'Removed' };
    const { body: removed } = await post('items', item);
    await fetch(`${portal.url}/_control/tenants/${acme.tenancyName}/items/${removed.id}`, {
      method: 'DELETE',
    });
    expect((await post('items', { ...item, displayName: 'Another' })).body.id).toBe(removed.id + 1);
  });

  it('isolates a user name with right-to-left characters on a report page', async () => {
    const key = await mintKey({
      tenant: acme,
      itemId: 1042,
      roleNames: ['region-north'],
      userId: 'a\u202eb',
    });
    const { body } = await askTenant(acme.tenantUrl, `/report/1042?ev=${encodeURIComponent(key)}`);
    expect(body).toContain('Shown to <b><bdi>a\u202eb</bdi></b> · region-north');
  });

  it('names the stale field when a PATCH of a user is based on an old version, and suggests what to do', async () => {
    const { body: user } = await post('users', person('stale@acme.example'));
    const path = `/v1/users/${user.id}`;
    const patch = { ...user, updatedAt: '2020-01-01T00:00:00.000Z', firstName: 'Changed' };
    const answer = await administer(acme, `PATCH ${path}`, { body: patch });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toBe(
      `updatedAt: is read-only and is "${user.updatedAt}"; omit it, or read the row again and send it unchanged`,
    );
    expect((await administer(acme, `GET ${path}`)).body).toEqual(user);
  });

  it('accepts a PATCH with an unchanged user again, as it changes no field, not even updatedAt', async () => {
    const { body: user } = await post('users', person('unchanged@acme.example'));
    const path = `/v1/users/${user.id}`;
    portal.clock.advance(60_000);
    const newest = async () => (await administer(acme, 'GET /v1/audit-logs?pageSize=1')).body.items[0];
    const before = await newest();
    for (const _ of [1, 2]) {
      const answer = await administer(acme, `PATCH ${path}`, { body: user });
      expect([answer.status, answer.body]).toEqual([200, user]);
    }
    expect(await newest()).toEqual(before);
    const { body: renamed } = await administer(acme, `PATCH ${path}`, { body: { firstName: 'Changed' } });
    expect(renamed.updatedAt > user.updatedAt).toBe(true);
  });

  it('says that report pages are at the tenant URL when one is asked for at the URL of the API', async () => {
    const answer = await administer(acme, 'GET /report/1042');
    expect([answer.status, answer.body.error.code]).toEqual([404, 'route_not_found']);
    expect(answer.body.error.message).toContain('Report pages are at the tenant URL (VITRINE_TENANT_URL)');
  });

  describe('dateRange', () => {
    it('accepts the basic format of ISO 8601 like the extended one', async () => {
      const read = async (range: string) => {
        const { status, body } = await administer(
          acme,
          `GET /v1/audit-logs?dateRange=${encodeURIComponent(range)}&pageSize=200`,
        );
        expect([range, status]).toEqual([range, 200]);
        return body.totalCount;
      };
      const [day] = new Date(portal.clock.now()).toISOString().split('T');
      const basicDay = day?.replaceAll('-', '');
      const all = await read(`${day}/${day}`);
      expect(all).toBeGreaterThan(0);
      expect(await read(`${basicDay}/${basicDay}`)).toBe(all);
      expect(await read(`${basicDay}T000000Z/${basicDay}T235959.999Z`)).toBe(all);
      expect(await read(`${basicDay}T020000+0200/..`)).toBe(all);
      for (const range of [`${basicDay?.slice(0, 6)}/..`, `${day}T000000Z/..`, '20260230/..']) {
        const path = `/v1/audit-logs?dateRange=${encodeURIComponent(range)}`;
        expect([range, (await administer(acme, `GET ${path}`)).status]).toEqual([range, 400]);
      }
    });
  });

  describe('links', () => {
    it('are paged on request', async () => {
      for (let count = 0; count < 5; count += 1) await mintKey({ tenant: acme, itemId: 1043 });
      const all = (await administer(acme, 'GET /v1/links')).body;
      const page = (await administer(acme, 'GET /v1/links?page=2&pageSize=2')).body;
      expect(all.totalCount).toBe(all.items.length);
      expect(page).toEqual({
        items: all.items.slice(2, 4),
        totalCount: all.totalCount,
        page: 2,
        pageSize: 2,
      });
    });

    it('show an expiration that was shortened, like the request log', async () => {
      const asked = new Date(portal.clock.now() + 30 * 3_600_000).toISOString();
      const answer = await requestKey({ tenant: acme, itemId: 1043, expiration: asked });
      expect(answer.status).toBe(200);
      const link = (await administer(acme, 'GET /v1/links')).body.items.at(-1);
      expect(link.requestedExpiresAt).toBe(asked);
      expect(Date.parse(link.expiresAt) - portal.clock.now()).toBeLessThanOrEqual(24 * 3_600_000);
      expect(await newestNotes('mint')).toEqual([
        `value.expiration: ${asked} was shortened to ${link.expiresAt}; a key is valid for at most 24 hours.`,
      ]);
      await mintKey({ tenant: acme, itemId: 1043 });
      expect((await administer(acme, 'GET /v1/links')).body.items.at(-1).requestedExpiresAt).toBeNull();
      expect(await newestNotes('mint')).toEqual([]);
    });
  });

  describe('an RLS role that was created without a rule', () => {
    it('shows no rows, and the request log explains why; the console adds a rule', async () => {
      const { id } = (await post('roles', { name: 'Ruleless', type: 'RLS', code: 'ruleless' })).body;
      const mint = () => mintKey({ tenant: acme, itemId: 1042, roleNames: ['ruleless'] });
      await mint();
      expect(await newestNotes('mint')).toEqual([
        'value.roleNames: the role "ruleless" has no row rule and shows no rows of item 1042. Add a rule in the console or in a seed.',
      ]);
      await fetch(`${portal.url}/_control/tenants/${acme.tenancyName}/roles/${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ rule: { kind: 'all' } }),
      });
      await mint();
      expect(await newestNotes('mint')).toEqual([]);
    });
  });

  describe('the roles of an item', () => {
    it('decide nothing, and the request log says so for a user who has none of them', async () => {
      const mint = (userId: string) =>
        mintKey({ tenant: acme, itemId: 1042, roleNames: ['all-regions'], userId });
      await mint('north.manager@acme.example');
      expect(await newestNotes('mint')).toEqual([]);
      await mint('ADMINISTRATOR@acme.example');
      expect(await newestNotes('mint')).toEqual([
        'value.userId: this user has none of the roles of item 1042. The portal stores and returns those roles and reads them nowhere: userId and roleNames of a key, and canView of the host, decide who sees what.',
      ]);
      await mint('somebody@elsewhere.example');
      expect(await newestNotes('mint')).toEqual([]);
    });
  });

  describe('a key that was not percent-encoded once', () => {
    it('opens with a note if it is literal; else is rejected with a hint on the page and in the log', async () => {
      const key = await mintKey({ tenant: acme, itemId: 1043 });
      const open = (ev: string) => askTenant(acme.tenantUrl, `/report/1043?ev=${ev}`);
      expect((await open(encodeURIComponent(key))).status).toBe(200);
      expect(await newestNotes('report')).toEqual([]);
      expect((await open(key)).status).toBe(200);
      expect((await newestNotes('report'))?.join()).toMatch(/percent-encod/i);
      for (const changed of [encodeURIComponent(encodeURIComponent(key)), key.slice(0, 40)]) {
        const page = await open(changed);
        expect(page.status).toBe(403);
        expect(page.body).toMatch(/percent-encod/i);
        expect((await newestNotes('report'))?.join()).toMatch(/percent-encod/i);
        expect(JSON.stringify(await portal.requests.list({ kind: 'report' }))).not.toContain(
          key.slice(0, 40),
        );
      }
    });
  });

  describe('a webhook', () => {
    it('identifies a user of the portal, or a viewer whose lookup gets an explanatory 404', async () => {
      const bodies: any[] = [];
      let status = 204;
      const receiver = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
          response.writeHead(status).end();
        });
      });
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      await portal.setActionTarget(
        acme.tenancyName,
        `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      );
      const clickAs = async (userId: string) => {
        const key = await mintKey({ tenant: acme, itemId: 1042, userId, roleNames: ['all-regions'] });
        const { length } = bodies;
        await askTenant(acme.tenantUrl, '/report/1042/actions', {
          method: 'POST',
          headers: { authorization: `ReportKey ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            visual: 'revenue-by-region',
            columns: ['Region'],
            points: [['North']],
            filters: [],
          }),
        });
        await expect.poll(() => bodies.length).toBe(length + 1);
        return administer(acme, `GET /v1/users/${bodies.at(-1).metadata.currentUser}`);
      };
      const user = await clickAs('Administrator@acme.example');
      expect([user.status, user.body.email]).toEqual([200, 'administrator@acme.example']);
      const viewer = await clickAs('nobody@elsewhere.example');
      expect(viewer.status).toBe(404);
      expect(viewer.body.error.message).toMatch(/^1\d{9} is the ID of an embedded viewer/);
      const nobody = bodies.at(-1).metadata.currentUser + 1;
      for (const id of [
        nobody,
        'Infinity',
        '2147483648',
        '9007199254740993',
        `${nobody - 1}.0`,
        `0${nobody - 1}`,
      ])
        expect([id, (await administer(acme, `GET /v1/users/${id}`)).body.error.message]).toEqual([
          id,
          'The user does not exist in this tenant.',
        ]);

      status = 500;
      await clickAs('nobody@elsewhere.example');
      const failed = 'GET /v1/audit-logs?actionType=TaskFailed&pageSize=1';
      await expect
        .poll(async () => (await administer(acme, failed)).body.items[0]?.description)
        .toBe(
          'The webhook of the task "Open the region in the CRM" failed: the receiver responded with 500.',
        );
      receiver.close();
    });
  });

  describe('the user count', () => {
    it('stays correct through creations, removals and syncs', async () => {
      const fresh = await portal.createTenant();
      const total = async () => (await administer(fresh, 'GET /v1/users?pageSize=1')).body.totalCount;
      const listed = async () => (await administer(fresh, 'GET /v1/users?pageSize=200')).body.items.length;
      const expectBoth = async () => expect(await total()).toBe(await listed());
      await expectBoth();
      const before = await total();
      const create = (email: string) => administer(fresh, 'POST /v1/users', { body: person(email) });
      const { body } = await create('counted@acme.example');
      expect((await create('counted@acme.example')).status).toBe(409);
      expect(await total()).toBe(before + 1);
      await administer(fresh, `DELETE /v1/users/${body.id}`);
      expect(await total()).toBe(before);
      const units = (await administer(fresh, 'GET /v1/organization-units')).body.items;
      for (const unit of units.filter((one: any) => one.directoryGroupId !== null))
        await administer(fresh, `POST /v1/organization-units/${unit.id}/sync`);
      expect(await total()).toBeGreaterThan(before);
      await expectBoth();
    });
  });
});
