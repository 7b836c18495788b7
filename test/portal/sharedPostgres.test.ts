import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { administer } from './administer.ts';
import { testPostgres } from './databases.ts';

const postgres = await testPostgres('shared');

describe.skipIf(postgres === undefined)('several portals on one Postgres', () => {
  let portals: Portal[] = [];
  afterEach(async () => {
    await Promise.all(portals.map((portal) => portal.close()));
    await postgres?.drop();
  });
  afterAll(() => postgres?.drop());

  const start = async (count: number): Promise<Portal[]> => {
    portals = await Promise.all(
      Array.from({ length: count }, () => createPortal({ database: postgres?.address ?? '' })),
    );
    return portals;
  };

  it('start concurrently on an empty database, and one of them seeds it', async () => {
    const started = await start(4);
    const [first] = started;
    for (const { tenants } of started)
      expect(tenants.map(({ tenantId, apiKey }) => [tenantId, apiKey])).toEqual(
        first?.tenants.map(({ tenantId, apiKey }) => [tenantId, apiKey]),
      );
  });

  it('start while other programs create and drop schemas in the same database', async () => {
    const over = new AbortController();
    const churn = async (name: string): Promise<void> => {
      const client = new pg.Client({ connectionString: postgres?.address.split('?')[0] });
      await client.connect();
      while (!over.signal.aborted) {
        await client.query(`create schema "${name}"; create table "${name}".many (id serial)`);
        await client.query(`drop schema "${name}" cascade`);
      }
      await client.end();
    };
    const others = ['one', 'two', 'three'].map((place) => churn(`churn_${process.pid}_${place}`));
    try {
      expect(await start(8)).toHaveLength(8);
    } finally {
      over.abort();
      await Promise.all(others);
    }
  });

  it('create tenants concurrently, each with its own number', async () => {
    const started = await start(3);
    const made = await Promise.all(
      started.flatMap((portal) => Array.from({ length: 4 }, () => portal.createTenant())),
    );
    expect(new Set(made.map(({ tenantId }) => tenantId)).size).toBe(12);
    expect(new Set(made.map(({ tenancyName }) => tenancyName)).size).toBe(12);
  });

  it('give a name to one of several concurrent requests, and reject the others', async () => {
    const started = await start(3);
    const answers = await Promise.all(
      started.map((portal) =>
        fetch(`${portal.url}/_control/tenants`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ tenancyName: 'wanted' }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 409, 409,
    ]);
    const refusal = answers.find(({ status }) => status === 409);
    expect(await refusal?.json()).toMatchObject({
      error: { code: 'conflict', message: 'tenancyName: the tenant "wanted" already exists' },
    });
  });

  const addRoles = (on: readonly Portal[], tenant: PortalTenant, name: string) =>
    Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        administer({ ...tenant, baseUrl: on[place % on.length]?.url ?? '' }, 'POST /v1/roles', {
          body: { name: `${name} ${place}`, type: 'Report' },
        }),
      ),
    );
  const statusesOf = (answers: readonly { readonly status: number }[]) => [
    ...new Set(answers.map(({ status }) => status)),
  ];

  it('finish concurrent changes before a reset, and apply the rest after it', async () => {
    const started = await start(2);
    const [one, other] = started;
    const [acme] = one?.tenants ?? [];
    if (one === undefined || other === undefined || acme === undefined)
      throw new Error('No portal was started.');
    for (const round of [1, 2, 3]) {
      const afterward = await addRoles(started, acme, `After ${round}`);
      const [reset] = await Promise.all([addRoles(started, acme, `Reset ${round}`), other.reset()]);
      expect(statusesOf([...afterward, ...reset])).toEqual([201]);
      const { items, totalCount } = (await administer(acme, 'GET /v1/audit-logs?pageSize=200')).body;
      expect(items.map(({ id }: { id: number }) => id)).toEqual(
        Array.from({ length: totalCount }, (_, place) => totalCount - place),
      );
    }
  });

  it('reject changes to a tenant that another portal removes, without a server error', async () => {
    const started = await start(2);
    const [one, other] = started;
    if (one === undefined || other === undefined) throw new Error('No portal was started.');
    for (let round = 0; round < 5; round += 1) {
      const tenant = await one.createTenant();
      const [answers] = await Promise.all([
        addRoles(started, tenant, 'Too late'),
        other.removeTenant(tenant.tenancyName),
      ]);
      expect(statusesOf(answers).filter((status) => ![201, 401, 404].includes(status))).toEqual([]);
    }
  });

  it('sync the same people concurrently, one after the other, and add each person once', async () => {
    const started = await start(3);
    const [first] = started;
    const tenant = await first?.createTenant();
    if (tenant === undefined) throw new Error('No portal was started.');
    const { items } = (await administer(tenant, 'GET /v1/organization-units')).body;
    const unit = items.find((one: { directoryGroupId: string | null }) => one.directoryGroupId !== null);
    const answers = await Promise.all(
      started.map((portal) =>
        administer({ ...tenant, baseUrl: portal.url }, `POST /v1/organization-units/${unit.id}/sync`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(answers.map(({ body }) => body.added).toSorted((one, other) => one - other)).toEqual([0, 0, 3]);
  });
});
