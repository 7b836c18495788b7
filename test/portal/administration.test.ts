import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from './administer.ts';
import { testDatabases } from './databases.ts';
import { mintKey } from './mint.ts';

describe.each(await testDatabases('administration'))('the administration API on $name', (database) => {
  let portal: Portal;
  let acme: PortalTenant;
  let globex: PortalTenant;

  beforeAll(async () => {
    portal = await createPortal({ database: database.address });
    const [first, second] = portal.tenants;
    if (first === undefined || second === undefined) throw new Error('The default seed has two tenants.');
    acme = first;
    globex = second;
  });
  afterAll(async () => {
    await portal.close();
    await database.drop();
  });

  const user = (name: string) => ({
    type: 'UserPass',
    email: `${name}@acme.example`,
    firstName: 'Test',
    lastName: name,
  });
  const newestAudit = async () => (await administer(acme, 'GET /v1/audit-logs?pageSize=1')).body.items[0];
  const members = (answer: { body: any }) =>
    answer.body.error.validationErrors.flatMap((error: { members: string[] }) => error.members);

  it('responds with 401 and a challenge when the API key is missing or unknown', async () => {
    for (const authorization of ['', 'Bearer unknown', `ApiKey ${acme.apiKey}`]) {
      const answer = await administer(acme, 'GET /v1/users', { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(answer.body.error).toMatchObject({ code: 'unauthorized', requestId: expect.any(String) });
    }
  });

  it('responds with 404 for an unknown path and with 405 and the allowed methods for a known one', async () => {
    expect((await administer(acme, 'GET /v1/nothing')).status).toBe(404);
    const answer = await administer(acme, 'DELETE /v1/users');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('answers HEAD as it answers GET, without the body', async () => {
    const read = await administer(acme, 'GET /v1/roles');
    const head = await administer(acme, 'HEAD /v1/roles');
    expect([head.status, head.body]).toEqual([200, undefined]);
    expect(head.headers.get('content-length')).toBe(String(JSON.stringify(read.body).length));
  });

  it('creates a user, responds with 201 and its URL, and records the actor in the audit log', async () => {
    const created = await administer(acme, 'POST /v1/users', {
      body: { ...user('created'), roles: ['Viewer'], organizationUnits: ['1'] },
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/v1/users/${created.body.id}`);
    expect(created.body).toEqual({
      id: expect.any(Number),
      ...user('created'),
      roles: ['Viewer'],
      organizationUnits: ['1'],
      displayName: 'Test created',
      isActive: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      lastLoginAt: null,
    });
    expect((await administer(acme, `GET /v1/users/${created.body.id}`)).body).toEqual(created.body);
    expect(await newestAudit()).toMatchObject({
      actionType: 'UserCreated',
      resourceType: 'User',
      resourceId: String(created.body.id),
      userEmail: 'administrator@acme.example',
      result: 'success',
      ipAddress: '127.0.0.1',
    });
  });

  it('changes the fields in a merge patch and keeps the rest; arrays replace and null clears', async () => {
    const { body: before } = await administer(acme, 'POST /v1/users', {
      body: { ...user('patched'), roles: ['Viewer'], organizationUnits: ['1', '2'] },
    });
    const { body: after, status } = await administer(acme, `PATCH /v1/users/${before.id}`, {
      body: { lastName: 'Renamed', organizationUnits: ['2'] },
    });
    expect(status).toBe(200);
    expect(after).toMatchObject({
      ...before,
      lastName: 'Renamed',
      organizationUnits: ['2'],
      displayName: 'Test Renamed',
      updatedAt: expect.any(String),
    });
    expect((await newestAudit()).details.changes.lastName).toEqual({ from: 'patched', to: 'Renamed' });
    expect(
      (await administer(acme, `PATCH /v1/users/${before.id}`, { body: { roles: null } })).body.roles,
    ).toEqual([]);
  });

  it('removes a user permanently with 204', async () => {
    const { body } = await administer(acme, 'POST /v1/users', { body: user('removed') });
    expect((await administer(acme, `DELETE /v1/users/${body.id}`)).status).toBe(204);
    expect((await administer(acme, `GET /v1/users/${body.id}`)).status).toBe(404);
    expect((await administer(acme, `DELETE /v1/users/${body.id}`)).status).toBe(404);
    expect(await newestAudit()).toMatchObject({ actionType: 'UserDeleted', resourceId: String(body.id) });
  });

  it('responds with 409 to a second user with the same address in other letter case', async () => {
    await administer(acme, 'POST /v1/users', { body: user('twice') });
    const again = await administer(acme, 'POST /v1/users', {
      body: { ...user('twice'), email: 'TWICE@acme.example' },
    });
    expect(again.status).toBe(409);
    expect(members(again)).toEqual(['email']);
  });

  it('creates exactly one of many users with the same address sent at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => administer(acme, 'POST /v1/users', { body: user('race') })),
    );
    expect(answers.map((answer) => answer.status).sort((left, right) => left - right)).toEqual([
      201, 409, 409, 409, 409, 409, 409, 409,
    ]);
  });

  it('names each rejected field, and writes nothing', async () => {
    const before = (await newestAudit()).id;
    const answer = await administer(acme, 'POST /v1/users', {
      body: { type: 'Robot', email: 'no address', firstName: '', roles: ['Nobody'], surname: 'x' },
    });
    expect(answer.status).toBe(400);
    expect(members(answer).sort()).toEqual(['email', 'firstName', 'lastName', 'surname', 'type']);
    const unknownRole = await administer(acme, 'POST /v1/users', {
      body: { ...user('refused'), roles: ['Viewer', 'Nobody'] },
    });
    expect(members(unknownRole)).toEqual(['roles[1]']);
    expect((await newestAudit()).id).toBe(before);
  });

  it('reports each missing field as required', async () => {
    const messagesOf = async (path: string) =>
      Object.fromEntries(
        (await administer(acme, `POST ${path}`, { body: {} })).body.error.validationErrors.map(
          ({ members: [field], message }: { members: string[]; message: string }) => [field, message],
        ),
      );
    expect(await messagesOf('/v1/users')).toEqual({
      type: 'is required',
      email: 'is required',
      firstName: 'is required',
      lastName: 'is required',
    });
    expect(await messagesOf('/v1/items')).toEqual({
      type: 'is required',
      workspaceId: 'is required',
      reportId: 'is required',
      displayName: 'is required',
    });
  });

  it('keeps tenants apart: a number of another tenant does not exist', async () => {
    const { body } = await administer(globex, 'GET /v1/users');
    const foreign = body.items[0].id;
    for (const method of ['GET', 'DELETE'])
      expect((await administer(acme, `${method} /v1/users/${foreign}`)).status).toBe(404);
    expect((await administer(acme, `PATCH /v1/users/${foreign}`, { body: { lastName: 'x' } })).status).toBe(
      404,
    );
  });

  it('pages users from 1 with 50 per page, and rejects page 0 and more than 200', async () => {
    const { body } = await administer(acme, 'GET /v1/users');
    expect(body).toMatchObject({ page: 1, pageSize: 50, totalCount: body.items.length });
    const second = await administer(acme, 'GET /v1/users?page=2&pageSize=3');
    expect(second.body.items.map((item: { id: number }) => item.id)).toEqual(
      body.items.slice(3, 6).map((item: { id: number }) => item.id),
    );
    expect((await administer(acme, 'GET /v1/users?page=999')).body.items).toEqual([]);
    for (const query of ['page=0', 'pageSize=201', 'page=x', 'pageSize=-1', 'page=1&page=2', 'limit=5'])
      expect((await administer(acme, `GET /v1/users?${query}`)).status).toBe(400);
  });

  it('creates roles; an RLS role requires a code, and names and codes are unique', async () => {
    const role = { name: 'Night shift', type: 'RLS', code: 'night', description: 'Rows of the night.' };
    const created = await administer(acme, 'POST /v1/roles', { body: role });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({ id: expect.any(Number), isSystem: false, ...role });
    expect(members(await administer(acme, 'POST /v1/roles', { body: { name: 'x', type: 'RLS' } }))).toEqual([
      'code',
    ]);
    expect((await administer(acme, 'POST /v1/roles', { body: { ...role, code: 'other' } })).status).toBe(409);
    expect((await administer(acme, 'POST /v1/roles', { body: { ...role, name: 'Other' } })).status).toBe(409);
    const { body: roles } = await administer(acme, 'GET /v1/roles');
    expect(roles.totalCount).toBe(roles.items.length);
    expect(roles.items.map((item: { code: string }) => item.code)).toContain('night');
  });

  it('keeps organizational units in a hierarchy', async () => {
    let parentId = 'root';
    for (let level = 1; level <= 3; level += 1) {
      const { status, body } = await administer(acme, 'POST /v1/organization-units', {
        body: { name: `Level ${level}`, parentId },
      });
      expect(status).toBe(201);
      expect(body.parentId).toBe(parentId);
      expect(body.path.split('/')).toHaveLength(level + 1);
      parentId = body.id;
    }
    expect(
      members(
        await administer(acme, 'POST /v1/organization-units', { body: { name: 'x', parentId: '999999' } }),
      ),
    ).toEqual(['parentId']);
  });

  it('syncs a unit with its directory group, and changes nothing the second time', async () => {
    const { body: units } = await administer(acme, 'GET /v1/organization-units');
    const north = units.items.find((unit: { name: string }) => unit.name === 'North');
    const first = await administer(acme, `POST /v1/organization-units/${north.id}/sync`);
    expect(first.status).toBe(202);
    expect(first.body).toEqual({
      syncId: expect.any(String),
      status: 'completed',
      added: 3,
      updated: 0,
      removed: 0,
    });
    expect((await administer(acme, `POST /v1/organization-units/${north.id}/sync`)).body).toMatchObject({
      added: 0,
      updated: 0,
      removed: 0,
    });
    expect(await newestAudit()).toMatchObject({ actionType: 'OrganizationUnitSynced', resourceId: north.id });
    const sales = units.items.find((unit: { name: string }) => unit.name === 'Sales');
    expect((await administer(acme, `POST /v1/organization-units/${sales.id}/sync`)).status).toBe(409);
    expect((await administer(acme, 'POST /v1/organization-units/999999/sync')).status).toBe(404);
  });

  it('matches directory users by number before address, and takes no address from another user', async () => {
    const fresh = await portal.createTenant({ template: 'acme' });
    const { body: units } = await administer(fresh, 'GET /v1/organization-units');
    const north = units.items.find((unit: { name: string }) => unit.name === 'North');
    const sync = () => administer(fresh, `POST /v1/organization-units/${north.id}/sync`);
    const setDirectory = (email: string) => {
      const person = { id: '5d3ab0f1-2f5e-4a17-8d0b-93a2f2f8b001', firstName: 'Key', lastName: 'account' };
      return administer(fresh, `PUT /_control/tenants/${fresh.tenancyName}/directory`, {
        body: {
          people: [{ ...person, email, type: 'DirectoryAD' }],
          groups: [{ id: north.directoryGroupId, name: 'North', members: [person.id] }],
        },
      });
    };
    await setDirectory('first@acme.example');
    expect((await sync()).body).toMatchObject({ added: 1 });
    await administer(fresh, 'POST /v1/users', { body: user('taken') });
    await setDirectory('taken@acme.example');
    expect((await sync()).status).toBe(409);
    const { body: users } = await administer(fresh, 'GET /v1/users?pageSize=200');
    expect(users.items.slice(-2)).toMatchObject([
      { email: 'first@acme.example', organizationUnits: [north.id] },
      { email: 'taken@acme.example', firstName: 'Test', organizationUnits: [] },
    ]);
    await setDirectory('second@acme.example');
    expect((await sync()).body).toMatchObject({ added: 0, updated: 1, removed: 0 });
  });

  it('imports items and gives them both forms of the Item ID', async () => {
    const item = {
      type: 'report',
      workspaceId: '2f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
      reportId: '7a0c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
      displayName: 'Imported',
      roles: ['Viewer'],
      additionalData: [{ type: 'dataset', id: '1a0c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d', hasRls: true }],
    };
    const created = await administer(acme, 'POST /v1/items', { body: item });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...item,
      id: expect.any(Number),
      guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.any(String),
    });
    const { body: items } = await administer(acme, 'GET /v1/items');
    expect(items.items.at(-1)).toEqual(created.body);
    expect((await administer(globex, 'GET /v1/items')).body.totalCount).toBe(1);
  });

  it('lists tasks of both kinds and never their secret', async () => {
    const { body } = await administer(acme, 'GET /v1/tasks');
    expect(new Set(body.items.map((task: { kind: string }) => task.kind))).toEqual(
      new Set(['webhook', 'daxQuery']),
    );
    expect(body.items[0].hasSecret).toBe(true);
    expect(JSON.stringify(body)).not.toContain(acme.webhookSecret);
  });

  it('lists each key as an active link until it expires', async () => {
    await mintKey({ tenant: acme, itemId: 1043, userId: 'link@acme.example' });
    const links = async () => (await administer(acme, 'GET /v1/links')).body.items;
    const link = (await links()).at(-1);
    expect(link).toMatchObject({
      kind: 'reportKey',
      reportId: 1043,
      name: expect.stringContaining('link@acme.example'),
    });
    portal.clock.advance(61 * 60_000);
    expect((await links()).map((other: { id: number }) => other.id)).not.toContain(link.id);
    expect((await links()).map((other: { kind: string }) => other.kind)).toContain('slideshow');
    portal.clock.reset();
  });

  it('filters the audit log by user, type and time, newest first', async () => {
    const list = async (query: string) => (await administer(acme, `GET /v1/audit-logs?${query}`)).body;
    const all = await list('pageSize=200');
    expect(all.items.map((record: { id: number }) => record.id)).toEqual(
      Array.from({ length: all.totalCount }, (_, index) => all.totalCount - index),
    );
    const created = await list('actionType=UserCreated&pageSize=200');
    expect(new Set(created.items.map((record: { actionType: string }) => record.actionType))).toEqual(
      new Set(['UserCreated']),
    );
    const administrator = created.items[0].userId;
    expect((await list(`userId=${administrator}`)).totalCount).toBeGreaterThan(0);
    expect((await list('userId=2147483647')).totalCount).toBe(0);
    const today = new Date(portal.clock.now()).toISOString().slice(0, 10);
    expect((await list(`dateRange=${today}/${today}`)).totalCount).toBe(all.totalCount);
    expect((await list('dateRange=2001-01-01/2001-12-31')).totalCount).toBe(0);
    expect((await list('dateRange=2001-01-01/..')).totalCount).toBe(all.totalCount);
    const at = all.items[0].timestamp;
    expect(
      (await list(`dateRange=../${at}`)).items.every(
        (record: { timestamp: string }) => record.timestamp < at,
      ),
    ).toBe(true);
  });

  it('rejects an invalid date range, an unknown filter and an invalid number, each by name', async () => {
    for (const [query, field] of [
      ['dateRange=2026-01-01', 'dateRange'],
      ['dateRange=2026-02-30/2026-03-01', 'dateRange'],
      ['dateRange=2026-03-02/2026-03-01', 'dateRange'],
      ['dateRange=2026-01-01T00:00:00+02:00/..', 'dateRange'],
      ['userId=me', 'userId'],
      ['pageSize=201', 'pageSize'],
      ['type=UserCreated', 'type'],
      ['page=1&page=2', 'page'],
    ]) {
      const answer = await administer(acme, `GET /v1/audit-logs?${query}`);
      expect([answer.status, members(answer)]).toEqual([400, [field]]);
    }
  });

  it('rejects a parameter that is given twice', async () => {
    const { body } = await administer(acme, 'GET /v1/users?page=1&page=2');
    expect(body.error.message).toBe('page: occurs more than once');
  });

  it('rejects bodies that are not JSON, too deep, too large or of another media type', async () => {
    const post = (body: string, type = 'application/json') =>
      administer(acme, 'POST /v1/users', { body, headers: { 'content-type': type } });
    expect((await post('{"type":')).body.error.code).toBe('invalid_json');
    expect((await post('['.repeat(100) + ']'.repeat(100))).status).toBe(400);
    expect((await post(`{"email":"${'x'.repeat(1024 * 1024)}"}`)).status).toBe(413);
    expect((await post('a=b', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await post('{"email":"a\\u0000b"}')).status).toBe(400);
  });

  it('names the encoding of a compressed body, which is not supported', async () => {
    const answer = await administer(acme, 'POST /v1/roles', {
      body: { name: 'Compressed', type: 'Report' },
      headers: { 'content-encoding': 'gzip' },
    });
    expect([answer.status, members(answer)]).toEqual([415, ['Content-Encoding']]);
  });

  it('responds with 413 to a body of any length after it was sent completely', async () => {
    const answer = await administer(acme, 'POST /v1/roles', { body: ' '.repeat(20 * 1024 * 1024) });
    expect([answer.status, members(answer)]).toEqual([413, ['body']]);
  });

  it('rejects text that a database would not store unchanged', async () => {
    for (const [name, message] of [
      ['\\ud800', 'name: holds half of a surrogate pair'],
      ['a\\udc00\\ud800', 'name: holds half of a surrogate pair'],
      ['a\\u0000', 'name: holds a NUL character'],
    ]) {
      const answer = await administer(acme, 'POST /v1/roles', { body: `{"name":"${name}","type":"Report"}` });
      expect([answer.status, members(answer)]).toEqual([400, ['name']]);
      expect(answer.body.error.message).toBe(message);
    }
    const pair = await administer(acme, 'POST /v1/roles', {
      body: '{"name":"\\ud83d\\ude00","type":"Report"}',
    });
    expect([pair.status, pair.body.name]).toEqual([201, '\u{1F600}']);
  });
});
