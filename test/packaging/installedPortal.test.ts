import type { PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForKey } from '../support/askForKey.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { getAs } from './harness/getAs.ts';

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer({
    app: 'portal',
    packages: ['contract', 'portal-client', 'server', 'actions', 'portal', 'cli'],
    registry: {},
  });
});
afterAll(() => consumer?.remove());

interface Started {
  readonly url: string;
  readonly tenants: readonly PortalTenant[];
}

describe('the portal and the command, installed from tarballs', () => {
  it('the portal shows a report, and serves every file that its page names', async () => {
    const { url, tenants } = await consumer.serve<Started>('start.js', {});
    const tenant = tenants.find(({ tenancyName }) => tenancyName === 'acme')!;
    const expiration = new Date(Date.now() + 600_000).toISOString();
    const key = await askForKey(tenant, { itemId: 1042, roleNames: ['region-north'], expiration });
    const { host } = new URL(tenant.tenantUrl);

    const page = await getAs(host, url, `/report/1042?ev=${encodeURIComponent(key)}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Sales by region');
    const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    const statuses = await Promise.all(files.map(async (file) => (await getAs(host, url, file)).status));
    expect(statuses).toEqual(files.map(() => 200));
  });

  it('the command says what it can do', async () => {
    expect(await consumer.bin('vitrine', '--help')).toContain('Usage: vitrine');
  });
});
