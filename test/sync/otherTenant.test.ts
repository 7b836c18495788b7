import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { createPortalClient, parseSyncPlan, type SyncPlan } from '@vitrine/portal-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startDirectory } from './support/directory.ts';

let portal: Portal;
let tenant: PortalTenant;
let other: PortalTenant;

beforeAll(async () => {
  portal = await createPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  tenant = await portal.createTenant();
  other = await portal.createTenant();
});

/** A client of a tenant. All tenants of a portal share its address; the API key decides. */
const clientOf = (baseUrl: string, apiKey: string) => {
  const client = createPortalClient({ baseUrl, apiKey });
  onTestFinished(() => client.close());
  return client;
};

const asSaved = (plan: SyncPlan) => parseSyncPlan(JSON.stringify(plan));

const newcomer = {
  email: 'new@acme.example',
  type: 'UserPass',
  firstName: 'First',
  lastName: 'Last',
};

/** The state of all tenants. */
const stateOfAll = async (): Promise<unknown> => (await fetch(new URL('/_control/seed', portal.url))).json();

/** Another API key of the tenant. */
const anotherKey = async ({ tenancyName }: PortalTenant, permissions: readonly string[]) => {
  const response = await fetch(new URL(`/_control/tenants/${tenancyName}/api-keys`, portal.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Another', permissions }),
  });
  const { apiKey } = (await response.json()) as { apiKey: string };
  return apiKey;
};

const everything = {
  allowRemovals: true,
  allowAdministrators: true,
  maxRemovals: 1_000,
  maxRemovalPercent: 100,
};

describe('a plan', () => {
  it.each([
    ['creates a user', { users: [newcomer] }],
    ['creates a role', { roles: [{ name: 'New', type: 'Report' }] }],
    ['creates a unit', { organizationUnits: [{ path: '/New' }] }],
    [
      'imports a report',
      {
        items: [
          {
            type: 'report',
            workspaceId: '0d0c0001-0000-4000-8000-000000000001',
            reportId: '0d0c0001-0000-4000-8000-000000000002',
            displayName: 'New',
          },
        ],
      },
    ],
  ])('that %s is not applied to another tenant at the same address', async (_, desired) => {
    const mine = clientOf(tenant.baseUrl, tenant.apiKey);
    const theirs = clientOf(other.baseUrl, other.apiKey);
    const plan = asSaved(await mine.planSync(desired));
    const before = await stateOfAll();
    await expect(theirs.applyPlan(plan, everything)).rejects.toMatchObject({
      kind: 'config',
      code: 'other_tenant',
    });
    expect(await stateOfAll()).toEqual(before);
    expect((await mine.applyPlan(plan, everything)).done.create).toBe(1);
  });

  it('that changes and removes users is not applied to another tenant either', async () => {
    const mine = clientOf(tenant.baseUrl, tenant.apiKey);
    const theirs = clientOf(other.baseUrl, other.apiKey);
    const users = [newcomer, { email: 'administrator@acme.example', lastName: 'Changed' }];
    const plan = asSaved(await mine.planSync({ users }, { missing: 'delete' }));
    expect([plan.counts.create, plan.counts.update, plan.counts.delete > 0]).toEqual([1, 1, true]);
    const before = await stateOfAll();
    await expect(theirs.applyPlan(plan, everything)).rejects.toThrow(/another tenant.*Nothing was changed/);
    expect(await stateOfAll()).toEqual(before);
  });

  it('is applied with another key of its tenant, such as one after a rotation', async () => {
    const permissions = ['Administration.Users', 'Administration.Roles', 'Administration.OrganizationUnits'];
    const planning = clientOf(tenant.baseUrl, await anotherKey(tenant, permissions));
    const plan = asSaved(await planning.planSync({ users: [newcomer] }));
    expect((await clientOf(tenant.baseUrl, tenant.apiKey).applyPlan(plan)).done.create).toBe(1);
  });

  it('is applied to a tenant that has more roles, units and users than before, and again after that', async () => {
    const client = clientOf(tenant.baseUrl, tenant.apiKey);
    const plan = asSaved(
      await client.planSync(
        {
          users: [newcomer],
          roles: [{ name: 'Planned', type: 'Report' }],
          organizationUnits: [{ path: '/Planned' }],
        },
        { missing: 'delete' },
      ),
    );
    await client.roles.create({ name: 'Unplanned', type: 'Report' });
    await client.organizationUnits.create({ name: 'Unplanned', parentId: 'root' });
    await client.users.create({ ...newcomer, email: 'unplanned@acme.example' });
    expect((await client.applyPlan(plan, everything)).done).toMatchObject({ create: 3 });
    const again = await client.applyPlan(plan, everything);
    expect([again.failed, again.drifted]).toEqual([[], []]);
  });

  it('is not applied where each tenant counts its roles from 1, and the roles are the same', async () => {
    const [one, two] = [await startDirectory(), await startDirectory()];
    onTestFinished(async () => {
      await Promise.all([one.close(), two.close()]);
    });
    one.add({ email: 'one@acme.example' });
    two.add({ email: 'two@acme.example' });
    const [mine, theirs] = [one, two].map(({ baseUrl }) => clientOf(baseUrl, 'test-api-key-0123456789'));
    const plan = await mine?.planSync({ users: [newcomer] });
    if (plan === undefined || theirs === undefined) throw new Error('There is no plan.');
    await expect(theirs.applyPlan({ ...plan, baseUrl: two.baseUrl })).rejects.toMatchObject({
      code: 'other_tenant',
    });
    expect(two.writes).toEqual([]);
  });

  it('is not applied to the tenant of another portal with the same seed', async () => {
    const start = async () => {
      const one = await createPortal();
      onTestFinished(() => one.close());
      const { baseUrl, apiKey } = await one.createTenant();
      return clientOf(baseUrl, apiKey);
    };
    const [mine, theirs] = [await start(), await start()];
    const usersOf = async (client: typeof mine) =>
      (await Array.fromAsync(client.users.list())).map(({ id, email }) => `${id} ${email}`);
    // Identifiers and addresses do not tell them apart.
    expect(await usersOf(theirs)).toEqual(await usersOf(mine));
    const plan = asSaved(await mine.planSync({ users: [newcomer] }));
    await expect(theirs.applyPlan(plan)).rejects.toMatchObject({ code: 'other_tenant' });
    expect((await mine.applyPlan(plan)).done.create).toBe(1);
  });

  it('that was saved without its tenant is rejected', async () => {
    const { fingerprint: _, ...plan } = await clientOf(tenant.baseUrl, tenant.apiKey).planSync({
      users: [newcomer],
    });
    expect(() => parseSyncPlan(JSON.stringify(plan))).toThrow('another version created it');
  });
});
