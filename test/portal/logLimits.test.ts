import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPortal, type Portal } from '@vitrine/portal';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askRoles } from './askRoles.ts';
import { testPostgres } from './databases.ts';
import { mintKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

const postgres = await testPostgres('limits');

interface Place {
  readonly name: string;
  /** Address of an empty database, removed when the test has ended. */
  readonly open: () => { readonly address: string; readonly runSql: (sql: string) => Promise<unknown> };
}

const sqlite: Place = {
  name: 'SQLite',
  open: () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-limits-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const address = join(folder, 'portal.db');
    return {
      address,
      runSql: async (sql) => {
        const database = new DatabaseSync(address);
        database.exec(sql);
        database.close();
      },
    };
  },
};
const onPostgres = (address: string, drop: () => Promise<void>): Place => ({
  name: 'Postgres',
  open: () => {
    onTestFinished(drop);
    return {
      address,
      runSql: async (sql) => {
        const client = new pg.Client({ connectionString: address });
        await client.connect();
        await client.query(`set search_path to "${new URL(address).searchParams.get('schema') ?? ''}"`);
        await client.query(sql).finally(() => client.end());
      },
    };
  },
});

/** Duplicates the only row of a log that many times. */
const repeat = (log: string, columns: string, times: number) =>
  `insert into ${log} (${columns}) with recursive n(i) as (select 1 union all select i + 1 from n where i < ${times}) select ${columns} from ${log} cross join n`;
const deliveryColumns = 'url, visual, body, outcome, "tenantId", "taskId", at, "durationMs"';

/** A webhook that a fault drops: it is logged, but not sent. */
const loseWebhook = async (portal: Portal): Promise<void> => {
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The default seed has two tenants.');
  const { faults } = portal;
  await portal.setActionTarget(tenant.tenancyName, 'http://127.0.0.1:9/nowhere');
  faults.clear();
  faults.add({ effect: { kind: 'webhookLost' } });
  const key = await mintKey({ tenant, itemId: 1042, roleNames: ['region-north'] });
  await askTenant(tenant.tenantUrl, '/report/1042/actions', {
    method: 'POST',
    headers: { authorization: `ReportKey ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ visual: 'revenue-by-region', columns: [], points: [], filters: [] }),
  });
};

describe.each([sqlite, ...(postgres === undefined ? [] : [onPostgres(postgres.address, postgres.drop)])])(
  'the delivery log of a portal on $name',
  ({ open }) => {
    it('keeps the newest ten thousand entries, even if the portal restarts often', async () => {
      const { address, runSql } = open();
      const first = await createPortal({ database: address });
      await loseWebhook(first);
      await first.deliveries.waitFor({});
      await first.close();
      await runSql(repeat('delivery_log', deliveryColumns, 10_400));

      const portal = await createPortal({ database: address });
      onTestFinished(() => portal.close());
      const everyDelivery = () => portal.deliveries.list({ limit: 20_000 });
      expect(await everyDelivery()).toHaveLength(10_401);
      await loseWebhook(portal);
      await portal.deliveries.waitFor({ afterId: 10_401 });
      expect((await everyDelivery()).map(({ id }) => id)).toEqual(
        Array.from({ length: 10_000 }, (_, place) => place + 403),
      );
      await expect(portal.deliveries.replay(402)).rejects.toThrow('There is no delivery 402 in the log.');
    });

    it('waits until the requested number of entries exists, whatever the number', async () => {
      const { address, runSql } = open();
      const portal = await createPortal({ database: address });
      onTestFinished(() => portal.close());
      await loseWebhook(portal);
      await portal.deliveries.waitFor({});
      await runSql(repeat('delivery_log', deliveryColumns, 149));
      const once = { count: 150, timeoutMs: 500 };
      expect(await portal.deliveries.waitFor({}, once)).toHaveLength(150);
      const answer = await fetch(`${portal.url}/_control/deliveries?waitFor=150&timeoutMs=500`);
      expect(((await answer.json()) as { items: unknown[] }).items).toHaveLength(150);
    });
  },
);

describe('the request log', () => {
  const startPortal = async () => {
    const portal = await createPortal();
    onTestFinished(() => portal.close());
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The default seed has two tenants.');
    return { portal, tenant };
  };

  it('waits until the requested number of entries exists', async () => {
    const { portal } = await startPortal();
    await askRoles(portal, 200);
    expect(await portal.requests.waitFor({}, { count: 150, timeoutMs: 500 })).toHaveLength(150);
  });

  it('drops its oldest entries when their bodies exceed 64 MiB', async () => {
    const { portal, tenant } = await startPortal();
    const body = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    const send = () =>
      fetch(`${portal.url}/v1/roles`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
        body,
      });
    for (let count = 0; count < 70; count += 1) await (await send()).arrayBuffer();
    const ids = (await portal.requests.list({ limit: 100 })).map(({ id }) => id);
    expect(ids.at(-1)).toBe(70);
    expect(ids.length).toBeGreaterThan(60);
    expect(ids.length).toBeLessThan(70);
  });
});
