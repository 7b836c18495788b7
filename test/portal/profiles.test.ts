import { createPortal, type Portal, type PortalTenant, type ProfileChoice } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from './administer.ts';
import { testDatabases } from './databases.ts';
import { requestKey } from './mint.ts';

const user = { type: 'UserPass', email: 'profile@acme.example', firstName: 'Profile', lastName: 'User' };

describe.each(await testDatabases('profiles'))('on $name', (database) => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await createPortal({ database: database.address });
  });
  afterAll(async () => {
    await portal.close();
    await database.drop();
  });

  /** A tenant with this profile. */
  const tenantWith = async (profile: ProfileChoice): Promise<PortalTenant> => {
    const tenant = await portal.createTenant();
    await portal.changeTenant(tenant.tenancyName, { profile });
    return tenant;
  };

  describe('a profile decides, where the interface leaves it open,', () => {
    it.each([
      { profile: { successBody: 'envelope' }, shape: { success: true, result: { email: user.email } } },
      { profile: { successBody: 'data' }, shape: { data: { email: user.email } } },
      { profile: { userId: 'userId' }, shape: { userId: expect.any(Number) } },
      {
        profile: { userId: 'userId', userIdType: 'string' },
        shape: { userId: expect.stringMatching(/^\d+$/) },
      },
      { profile: { unknownFields: 'some' }, shape: { email: user.email, etag: expect.any(String) } },
      { profile: { unknownEnumValues: 'some' }, shape: { type: 'FederatedID' } },
    ] satisfies { profile: ProfileChoice; shape: object }[])(
      'what a created user looks like: $profile',
      async ({ profile, shape }) => {
        const { status, body } = await administer(await tenantWith(profile), 'POST /v1/users', {
          body: user,
        });
        expect(status).toBe(201);
        expect(body).toMatchObject(shape);
      },
    );

    it('whether a change returns a body, and with which status', async () => {
      const tenant = await tenantWith({
        successBody: 'empty',
        createStatus: 202,
        deleteStatus: 200,
        syncStatus: 204,
      });
      const created = await administer(tenant, 'POST /v1/users', { body: user });
      expect([created.status, created.body]).toEqual([202, undefined]);
      const id = created.headers.get('location')?.split('/').at(-1);
      expect((await administer(tenant, `GET /v1/users/${id}`)).body.email).toBe(user.email);
      expect((await administer(tenant, `DELETE /v1/users/${id}`)).status).toBe(200);
    });

    it.each([
      {
        profile: { listShape: 'array', totalIn: 'header' },
        read: (body: any) => body,
        header: 'x-total-count',
      },
      { profile: { listShape: 'data', totalIn: 'total' }, read: (body: any) => body.data },
      { profile: { listShape: 'value', totalIn: 'count' }, read: (body: any) => body.value },
      { profile: { listShape: 'results', totalIn: 'nowhere' }, read: (body: any) => body.results },
      { profile: { listShape: 'envelope' }, read: (body: any) => body.result.items },
      { profile: { listShape: 'array', totalIn: 'link' }, read: (body: any) => body, header: 'link' },
    ] satisfies { profile: ProfileChoice; read: (body: any) => any; header?: string }[])(
      'the shape of lists: $profile',
      async ({ profile, read, header }) => {
        const answer = await administer(await tenantWith(profile), 'GET /v1/users?pageSize=3');
        expect(read(answer.body)).toHaveLength(3);
        if (header !== undefined)
          expect(answer.headers.get(header)).toMatch(
            header === 'link' ? /<\/v1\/users\?pageSize=3&page=2>; rel="next"/ : /^7$/,
          );
        expect(JSON.stringify(answer.body).includes('"total"')).toBe(
          (profile as ProfileChoice).totalIn === 'total',
        );
      },
    );

    it('where pages start, and how a page size that is too large is handled', async () => {
      const fromZero = await tenantWith({ firstPage: 0 });
      const ids = async (tenant: PortalTenant, query: string) =>
        (await administer(tenant, `GET /v1/users?${query}`)).body.items.map((one: { id: number }) => one.id);
      const all = await ids(fromZero, 'page=0');
      expect(await ids(fromZero, 'page=1&pageSize=2')).toEqual(all.slice(2, 4));
      const capped = await administer(await tenantWith({ paging: 'cap' }), 'GET /v1/users?pageSize=1000');
      expect([capped.status, capped.body.pageSize]).toEqual([200, 200]);
      const ignoring = await tenantWith({ paging: 'ignore' });
      expect(await ids(ignoring, 'page=2&pageSize=2')).toEqual(await ids(ignoring, 'page=1'));
      const cut = await administer(await tenantWith({ cappedAt: 2 }), 'GET /v1/roles');
      expect([cut.body.items.length, cut.body.totalCount]).toEqual([2, 8]);
    });

    it.each([
      { errorBody: 'flat', check: (body: any) => body.code === 'validation_failed' },
      {
        errorBody: 'envelope',
        check: (body: any) => body.success === false && body.error.validationErrors.length > 0,
      },
      { errorBody: 'problem', check: (body: any) => body.status === 422 && body.detail.includes('email') },
      { errorBody: 'statusCode', check: (body: any) => body.statusCode === 422 },
    ] as const)('the format of an error: $errorBody', async ({ errorBody, check }) => {
      const tenant = await tenantWith({ errorBody, validationStatus: 422 });
      const { status, body } = await administer(tenant, 'POST /v1/users', { body: {} });
      expect(status).toBe(422);
      expect(check(body)).toBe(true);
    });

    it.each(['html', 'text', 'empty'] as const)('that an error may not be JSON: %s', async (errorBody) => {
      const tenant = await tenantWith({ errorBody, conflictStatus: 400 });
      const post = () =>
        fetch(`${tenant.baseUrl}/v1/users`, {
          method: 'POST',
          headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(user),
        });
      expect((await post()).status).toBe(201);
      const again = await post();
      expect(again.status).toBe(400);
      expect(again.headers.get('content-type') ?? '').not.toContain('json');
    });

    it('the details of roles, units, items and the audit log', async () => {
      const tenant = await tenantWith({
        roleCode: 'missing',
        unitId: 'number',
        topParent: 'null',
        itemId: 'numberOnly',
        auditNames: 'activity',
        auditDetails: 'text',
      });
      const list = async (name: string) => (await administer(tenant, `GET /v1/${name}`)).body.items;
      expect((await list('roles')).some((role: object) => !('code' in role))).toBe(true);
      expect(await list('organization-units')).toMatchObject([
        { id: expect.any(Number), parentId: null },
        { parentId: expect.any(Number) },
        {},
        {},
        {},
        {},
        {},
      ]);
      expect((await list('items')).every((item: object) => !('guid' in item))).toBe(true);
      await administer(tenant, 'POST /v1/users', { body: user });
      expect((await list('audit-logs'))[0]).toMatchObject({
        type: 'UserCreated',
        createdAt: expect.any(String),
        properties: expect.stringContaining('"type"'),
      });
      const guidOnly = await tenantWith({ itemId: 'guidOnly' });
      expect((await administer(guidOnly, 'GET /v1/items')).body.items[0].id).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('whether CreateEncryptedKey hides its errors behind 200, and the name of the tenant header', async () => {
      const hidden = await requestKey({
        tenant: { ...(await tenantWith({ mintErrors: 'always200' })), passPhrase: 'wrong' },
        itemId: 1043,
      });
      expect([hidden.status, ((await hidden.json()) as { success: boolean }).success]).toEqual([200, false]);
      const renamed = await tenantWith({ tenantHeader: 'X-Tenant-Id' });
      expect((await requestKey({ tenant: renamed, itemId: 1043 })).status).toBe(400);
      expect(
        (
          await requestKey({
            tenant: renamed,
            itemId: 1043,
            headers: { 'X-Tenant-Id': String(renamed.tenantId) },
          })
        ).status,
      ).toBe(200);
    });

    it('and rejects an unknown choice', async () => {
      await expect(
        portal.changeTenant('acme', { profile: { listShape: 'spiral' } as never }),
      ).rejects.toThrow('listShape');
    });
  });
});
