import { createPortal, type Portal } from '@vitrine/portal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLong } from '../support/size.ts';
import { mintKey } from './mint.ts';
import { askTenant } from './onTenant.ts';

/** Requests the roles that many times, a hundred at once, to fill the request log. */
const askRoles = async (portal: Portal, times: number): Promise<void> => {
  for (let count = 0; count < times; count += 100)
    await Promise.all(
      Array.from({ length: 100 }, async () => (await fetch(`${portal.url}/v1/roles`)).arrayBuffer()),
    );
};

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

const startPortal = async () => {
  const portal = await createPortal();
  onTestFinished(() => portal.close());
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The default seed has two tenants.');
  return { portal, tenant };
};

describe('the delivery log', () => {
  it('waits until the requested number of entries exists, whatever the number', async () => {
    const { portal } = await startPortal();
    for (let count = 0; count < 130; count += 1) await loseWebhook(portal);
    const once = { count: 130, timeoutMs: 60_000 };
    expect(await portal.deliveries.waitFor({}, once)).toHaveLength(130);
    const answer = await fetch(`${portal.url}/_control/deliveries?waitFor=130&timeoutMs=60000`);
    expect(((await answer.json()) as { items: unknown[] }).items).toHaveLength(130);
    await expect(portal.deliveries.waitFor({}, { count: 131, timeoutMs: 1 })).rejects.toThrow(
      'Waited 1 ms for 131 matching entries and saw 130.',
    );
    await expect(portal.deliveries.replay(131)).rejects.toThrow('There is no such delivery in the log.');
  });
});

describe('the request log', () => {
  it('waits until the requested number of entries exists', async () => {
    const { portal } = await startPortal();
    await askRoles(portal, 200);
    expect(await portal.requests.waitFor({}, { count: 150, timeoutMs: 500 })).toHaveLength(150);
  });

  it.runIf(isLong)('keeps its newest ten thousand entries', async () => {
    const { portal } = await startPortal();
    await askRoles(portal, 10_100);
    const ids = (await portal.requests.list({ limit: 20_000 })).map(({ id }) => id);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([10_000, 101, 10_100]);
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
