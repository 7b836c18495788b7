import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { administer } from './administer.ts';
import { testDatabases } from './databases.ts';

describe.each(await testDatabases('units'))('a unit that is edited in the console, on $name,', (database) => {
  let portal: Portal;
  let tenant: PortalTenant;
  beforeAll(async () => {
    portal = await createPortal({ database: database.address });
  });
  beforeEach(async () => {
    tenant = await portal.createTenant();
  });
  afterAll(async () => {
    await portal.close();
    await database.drop();
  });

  const control = (request: string, body?: unknown) => {
    const [method = '', path] = request.split(' ');
    const all = `/_control/tenants/${tenant.tenancyName}/organization-units${path}`;
    return administer(tenant, `${method} ${all}`, { body });
  };
  const create = async (name: string, parentId = 'root'): Promise<string> =>
    (await administer(tenant, 'POST /v1/organization-units', { body: { name, parentId } })).body.id;
  const pathOf = async (id: string) =>
    (await administer(tenant, 'GET /v1/organization-units')).body.items.find(
      (unit: { id: string }) => unit.id === id,
    )?.path;

  it('is renamed, moved and linked, with records in the audit log', async () => {
    const [partners, north] = [await create('Partners'), await create('North')];
    const directoryGroupId = '2f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d';
    expect((await control(`PATCH /${north}`, { parentId: partners, directoryGroupId })).status).toBe(204);
    expect((await control(`PATCH /${north}`, { name: 'Up north' })).status).toBe(204);
    expect(await pathOf(north)).toBe('/Partners/Up north');
    const { items } = (await administer(tenant, 'GET /v1/organization-units')).body;
    expect(items.find((unit: { id: string }) => unit.id === north)).toMatchObject({ directoryGroupId });
    const [newest] = (await administer(tenant, 'GET /v1/audit-logs')).body.items;
    expect(newest).toMatchObject({
      actionType: 'OrganizationUnitUpdated',
      description: 'The unit "Up north" was changed.',
    });
  });

  it('keeps its read-only fields: the same values are accepted, others are refused by name', async () => {
    const id = await create('North');
    const { items } = (await administer(tenant, 'GET /v1/organization-units')).body;
    const unit = items.find((one: { id: string }) => one.id === id);
    expect((await control(`PATCH /${id}`, unit)).status).toBe(204);
    for (const change of [{ id: '77' }, { memberCount: 9 }, { path: '/x' }]) {
      const { status, body } = await control(`PATCH /${id}`, change);
      expect([status, JSON.stringify(body)]).toEqual([
        400,
        expect.stringContaining(Object.keys(change).join()),
      ]);
    }
  });

  it('with a slash in its name has a different path than a child unit', async () => {
    const slashed = await create('A/B');
    const below = await create('B', await create('A'));
    expect([await pathOf(slashed), await pathOf(below)]).toEqual(['/A~1B', '/A/B']);
  });

  it('cannot be moved below itself, to a taken name or below nothing', async () => {
    const top = await create('Top');
    const middle = await create('Middle', top);
    const low = await create('Low', middle);
    await create('Other', top);
    const refusals = [
      await control(`PATCH /${top}`, { parentId: low }),
      await control(`PATCH /${top}`, { parentId: top }),
      await control(`PATCH /${middle}`, { name: 'Other' }),
      await control(`PATCH /${middle}`, { parentId: '999999' }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 409, 400]);
    expect((await control('PATCH /999999', { name: 'Nobody' })).status).toBe(404);
  });

  it('is removed with its memberships, but only without child units', async () => {
    const top = await create('Top');
    const low = await create('Low', top);
    const user = { type: 'UserPass', email: 'member@acme.example', firstName: 'A', lastName: 'B' };
    const { id } = (
      await administer(tenant, 'POST /v1/users', { body: { ...user, organizationUnits: [low] } })
    ).body;
    const refused = await control(`DELETE /${top}`);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'ouId: the unit "Top" has 1 below it; remove or move those first',
    ]);
    expect([(await control(`DELETE /${low}`)).status, (await control(`DELETE /${top}`)).status]).toEqual([
      204, 204,
    ]);
    expect(await pathOf(low)).toBeUndefined();
    expect((await administer(tenant, `GET /v1/users/${id}`)).body.organizationUnits).toEqual([]);
    expect((await control(`DELETE /${low}`)).status).toBe(404);
  });

  it('follows its parent in an exported seed, even if the parent is newer', async () => {
    const older = await create('Older');
    const younger = await create('Younger');
    await control(`PATCH /${older}`, { parentId: younger });
    const { tenants } = (await administer(tenant, 'GET /_control/seed')).body;
    const { organizationUnits } = tenants.find(
      (one: { tenancyName: string }) => one.tenancyName === tenant.tenancyName,
    );
    const names = organizationUnits.map(({ name }: { name: string }) => name);
    expect(names.indexOf('Younger')).toBeGreaterThan(-1);
    expect(names.indexOf('Older')).toBe(names.indexOf('Younger') + 1);
  });
});
