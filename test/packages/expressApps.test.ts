import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askTenant } from '../portal/onTenant.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { portalEnv } from './harness/portalEnv.ts';
import { sharedRegistry, versionsOf } from './harness/versions.ts';

const serverPackages = ['contract', 'portal-client', 'server', 'express'];

let portal: Portal;
beforeAll(async () => {
  portal = await createPortal();
});
afterAll(() => portal.close());

const askForKey = (url: string, itemId: unknown) =>
  fetch(`${url}/api/embed/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
    body: JSON.stringify({ itemId }),
  });

// In plain JavaScript: singlePageApp.test.ts.
const apps = [
  { title: 'an Express 5 app in TypeScript', registry: sharedRegistry, type: 'module', flags: [] },
  {
    title: 'an Express 4 app in TypeScript that becomes CommonJS (module: node16)',
    registry: { express: '4.22.3', '@types/express': '4.17.25', ...versionsOf('@types/node') },
    type: 'commonjs',
    flags: ['--module', 'node16'],
  },
];

describe.each(apps)('$title, installed from tarballs', ({ registry, type, flags }) => {
  let consumer: Consumer;
  let url = '';
  beforeAll(async () => {
    const tools = ['typescript'];
    consumer = await createConsumer({ packages: serverPackages, registry, tools });
    const folder = join(consumer.folder, 'app');
    cpSync('test/packages/apps/express', folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
    await consumer.bin('tsc', '-p', 'app', ...flags);
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('no tenant');
    url = await consumer.serve('node app/out/server.js', portalEnv(tenant));
    expect(readFileSync(join(folder, 'out/server.js'), 'utf8').includes('require(')).toBe(
      type === 'commonjs',
    );
  });
  afterAll(() => consumer?.remove());

  it('issues a key that opens the report', async () => {
    const response = await askForKey(url, 1042);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toContain('no-store');
    const { key, tenantUrl, itemId } = await response.json();
    expect(itemId).toBe(1042);
    const { status, body } = await askTenant(tenantUrl, `/report/1042?ev=${encodeURIComponent(key)}`);
    expect(status).toBe(200);
    expect(body).toContain('Sales by region');
  });

  it('responds with 404 with a problem document for a report that canView denies', async () => {
    const response = await askForKey(url, 1043);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await response.json()).toMatchObject({ code: 'report_unavailable' });
  });

  it('responds with 400 to an invalid item ID', async () => {
    const response = await askForKey(url, '1042; drop table');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_item_id' });
  });
});
