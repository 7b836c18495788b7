import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { administer } from './administer.ts';
import { testDatabases, testPostgres } from './databases.ts';
import { requestKey } from './mint.ts';

interface AuditRecord {
  readonly id: number;
  readonly timestamp: string;
  readonly actionType: string;
  readonly resourceId: string;
}

const list = async (tenant: PortalTenant, query: string): Promise<AuditRecord[]> =>
  (await administer(tenant, `GET /v1/audit-logs?${query}`)).body.items;

/** Every record, page by page. */
const readPages = async (tenant: PortalTenant, pageSize: number, filter = ''): Promise<AuditRecord[]> => {
  const { body } = await administer(tenant, `GET /v1/audit-logs?pageSize=${pageSize}${filter}`);
  const pages = Array.from({ length: Math.ceil(body.totalCount / pageSize) }, (_, index) => index + 1);
  const read = await Promise.all(
    pages.map((page) => list(tenant, `page=${page}&pageSize=${pageSize}${filter}`)),
  );
  return read.flat();
};

const newestFirst = (records: readonly AuditRecord[]): AuditRecord[] =>
  records.toSorted((one, other) => other.timestamp.localeCompare(one.timestamp) || other.id - one.id);

let number = 0;
const createUser = async (tenant: PortalTenant): Promise<number> => {
  number += 1;
  const body = {
    type: 'UserPass',
    email: `order-${number}@acme.example`,
    firstName: 'Order',
    lastName: `${number}`,
  };
  return (await administer(tenant, 'POST /v1/users', { body })).body.id;
};
const renameUser = (tenant: PortalTenant, id: number, firstName: string) =>
  administer(tenant, `PATCH /v1/users/${id}`, { body: { firstName } });

describe.each(await testDatabases('audit_order'))(
  'the audit log on $name is read newest first',
  (database) => {
    let portal: Portal;
    beforeAll(async () => {
      portal = await createPortal({ database: database.address });
    });
    afterAll(async () => {
      await portal.close();
      await database.drop();
    });

    it('and ends with the revocation of an API key, whatever was waiting for its turn', async () => {
      const tenant = await portal.createTenant();
      const control = (method: string, path: string, body?: object) =>
        fetch(`${portal.url}/_control/tenants/${tenant.tenancyName}/${path}`, {
          method,
          ...(body && {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
        });
      const permissions = ['Administration.Users'];
      const issued = await control('POST', 'api-keys', { name: 'Ended', permissions });
      const { id, apiKey } = (await issued.json()) as { id: number; apiKey: string };
      const waiting = Array.from({ length: 40 }, () => createUser({ ...tenant, apiKey }));
      await waiting[0];
      expect((await control('DELETE', `api-keys/${id}`)).status).toBe(204);
      await Promise.all(waiting);
      const records = await readPages(tenant, 200);
      const revoked = records.find(({ actionType }) => actionType === 'ApiKeyRevoked');
      const after = records.filter((record) => record.id > (revoked?.id ?? 0));
      expect([revoked?.resourceId, after]).toEqual([String(id), []]);
    });

    it('and has no key of an item after its removal', async () => {
      const tenant = await portal.createTenant();
      const item = {
        type: 'report',
        workspaceId: '2f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
        reportId: '7a0c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
        displayName: 'Removed',
      };
      const { id: itemId } = (await administer(tenant, 'POST /v1/items', { body: item })).body;
      const asked = Array.from({ length: 20 }, () => requestKey({ tenant, itemId }));
      await asked[0];
      const removal = `${portal.url}/_control/tenants/${tenant.tenancyName}/items/${itemId}`;
      expect((await fetch(removal, { method: 'DELETE' })).status).toBe(204);
      await Promise.all(asked);
      const records = await readPages(tenant, 200);
      const removed = records.find(({ actionType }) => actionType === 'ItemRemoved');
      expect(records.filter(({ id }) => id > (removed?.id ?? 0))).toEqual([]);
      expect((await administer(tenant, 'GET /v1/links')).body.items).not.toContainEqual(
        expect.objectContaining({ reportId: itemId }),
      );
    });

    it('by number while the clock stands still', async () => {
      portal.clock.freeze();
      onTestFinished(() => portal.clock.reset());
      const tenant = await portal.createTenant();
      await Promise.all(Array.from({ length: 12 }, () => createUser(tenant)));
      expect((await readPages(tenant, 5)).map(({ id }) => id)).toEqual(
        Array.from({ length: 13 }, (_, index) => 13 - index),
      );
    });

    it('by time after the clock was set back: on every page, each record once, with every filter', async () => {
      portal.clock.freeze(Date.parse('2026-03-01T12:00:00Z'));
      onTestFinished(() => portal.clock.reset());
      const tenant = await portal.createTenant();
      for (const advanceMs of [0, 60_000, -3_600_000, 1000, 7_200_000, -60_000, 0, 0, -86_400_000, 5000]) {
        portal.clock.advance(advanceMs);
        await renameUser(tenant, await createUser(tenant), `Later by ${advanceMs}`);
      }
      for (const filter of ['', '&actionType=UserUpdated', '&dateRange=2026-03-01/..']) {
        const whole = await list(tenant, `pageSize=200${filter}`);
        expect(whole.length).toBeGreaterThan(9);
        expect(whole).toEqual(newestFirst(whole));
        expect(await readPages(tenant, 3, filter)).toEqual(whole);
      }
      const ids = (await list(tenant, 'pageSize=200')).map(({ id }) => id);
      expect(ids.toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: 21 }, (_, index) => index + 1),
      );
      expect(ids).not.toEqual(ids.toSorted((one, other) => other - one));
    });

    it('by time after the clock was set back before the first user', async () => {
      portal.clock.freeze(Date.parse('2026-03-01T12:00:00Z'));
      onTestFinished(() => portal.clock.reset());
      const tenant = await portal.createTenant();
      await createUser(tenant);
      portal.clock.advance(-60_000);
      await createUser(tenant);
      expect((await list(tenant, 'pageSize=200')).map(({ id }) => id)).toEqual([2, 1, 3]);
    });

    it('and filtered by user, type and time', async () => {
      portal.clock.freeze(Date.parse('2026-03-01T12:00:00Z'));
      onTestFinished(() => portal.clock.reset());
      const tenant = await portal.createTenant();
      await createUser(tenant);
      portal.clock.advance(3_600_000);
      await renameUser(tenant, await createUser(tenant), 'Other');
      const read = async (query: string) => {
        const { body } = await administer(tenant, `GET /v1/audit-logs?${query}`);
        return [body.items.map(({ id }: AuditRecord) => id), body.totalCount];
      };
      const { userId } = (await administer(tenant, 'GET /v1/audit-logs')).body.items[0];
      expect(await read(`userId=${userId}`)).toEqual([[4, 3, 2], 3]);
      expect(await read('userId=2147483647')).toEqual([[], 0]);
      expect(await read('actionType=UserUpdated')).toEqual([[4], 1]);
      expect(await read('dateRange=2026-03-01T13:00:00Z/..')).toEqual([[4, 3], 2]);
      expect(await read('dateRange=../2026-03-01T13:00:00Z')).toEqual([[2, 1], 2]);
      expect(await read('actionType=UserCreated&page=3&pageSize=1')).toEqual([[], 2]);
      const refused = await administer(tenant, 'GET /v1/audit-logs?dateRange=2026-03-01');
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        400,
        expect.stringContaining('must be two ISO 8601 dates with a slash between them'),
      ]);
    });

    it('during concurrent changes, with times that rise with their numbers', async () => {
      const tenant = await portal.createTenant();
      const users = await Promise.all(Array.from({ length: 6 }, () => createUser(tenant)));
      await Promise.all(
        users.flatMap((id) => [
          renameUser(tenant, id, 'Other'),
          createUser(tenant),
          administer(tenant, `DELETE /v1/users/${id}`),
        ]),
      );
      const records = await list(tenant, 'pageSize=200');
      expect(records.length).toBeGreaterThanOrEqual(18);
      expect(records).toEqual(newestFirst(records));
      expect(records.map(({ id }) => id)).toEqual(records.map((_, index) => records.length - index));
    });
  },
);

const postgres = await testPostgres('audit_overtaken');

describe.skipIf(postgres === undefined)('on Postgres, a change that waits for a locked row', () => {
  const address = new URL(postgres?.address ?? 'postgres://none');
  const schema = address.searchParams.get('schema') ?? '';
  let portal: Portal;
  let other: pg.Client;
  let watcher: pg.Client;

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: address.href.replace(address.search, ''),
      options: `-c search_path=${schema}`,
    });
    await client.connect();
    return client;
  };

  beforeAll(async () => {
    portal = await createPortal({ database: `${address.href}&application_name=${schema}` });
    other = await connect();
    watcher = await connect();
  });
  afterAll(async () => {
    await Promise.all([other.end(), watcher.end(), portal.close()]);
    await postgres?.drop();
  });

  /** Changes of this portal that wait for a row. */
  const waiting = async (): Promise<number> => {
    const { rows } = await watcher.query(
      "select count(*)::int as count from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'",
      [schema],
    );
    return rows[0].count;
  };

  it('is recorded with the time of its execution, not of its arrival', async () => {
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The default seed has two tenants.');
    const id = await createUser(tenant);
    portal.clock.freeze();
    await other.query('begin');
    await other.query('select id from users where id = $1 for update', [id]);
    const slow = renameUser(tenant, id, 'Slow');
    await vi.waitUntil(async () => (await waiting()) === 1, { timeout: 30_000 });
    portal.clock.advance(60_000);
    let isDone = false;
    const quick = createUser(tenant).finally(() => {
      isDone = true;
    });
    // Either it has overtaken the other change, or it waits for it.
    await vi.waitUntil(async () => isDone || (await waiting()) === 2, { timeout: 30_000 });
    await other.query('rollback');
    await Promise.all([slow, quick]);
    const records = await list(tenant, 'pageSize=3');
    expect(records.map(({ actionType }) => actionType).toSorted()).toEqual([
      'UserCreated',
      'UserCreated',
      'UserUpdated',
    ]);
    expect(records).toEqual(newestFirst(records));
    expect(records.map(({ id: one }) => one)).toEqual([3, 2, 1]);
  });
});
