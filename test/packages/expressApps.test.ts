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

const askForKey = (port: number, itemId: unknown) =>
  fetch(`http://127.0.0.1:${port}/api/embed/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
    body: JSON.stringify({ itemId }),
  });

/** What each app installs. */
const registries = {
  express: sharedRegistry,
  'express-cjs': {
    express: '4.22.3',
    '@types/express': '4.17.25',
    ...versionsOf('@types/node'),
  },
} as const;

const apps = [
  // In plain JavaScript: singlePageApp.test.ts.
  {
    title: 'an Express 5 app in TypeScript',
    app: 'express',
    prepare: async (consumer: Consumer) => {
      await consumer.bin('tsc', '-p', '.');
      return 'out/server.js';
    },
  },
  {
    title: 'an Express 4 app in TypeScript that becomes CommonJS (module: node16)',
    app: 'express-cjs',
    prepare: async (consumer: Consumer) => {
      await consumer.bin('tsc', '-p', '.');
      return 'out/server.cjs';
    },
  },
] as const;

// An installation waits for most of its time: they run at once.
let consumers: Readonly<Record<string, Consumer>> = {};
beforeAll(async () => {
  const installed = await Promise.all(
    Object.entries(registries).map(async ([app, registry]) => {
      const tools = ['typescript'];
      const consumer = await createConsumer({ app, packages: serverPackages, registry, tools });
      return [app, consumer] as const;
    }),
  );
  consumers = Object.fromEntries(installed);
});
afterAll(() => Promise.all(Object.values(consumers).map((consumer) => consumer.remove())));

describe.each(apps)('$title, installed from tarballs', ({ app, prepare }) => {
  let port = 0;
  beforeAll(async () => {
    const consumer = consumers[app] ?? expect.fail('It is not installed.');
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('no tenant');
    port = await consumer.serve(await prepare(consumer), portalEnv(tenant));
  });

  it('issues a key that opens the report', async () => {
    const response = await askForKey(port, 1042);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toContain('no-store');
    const { key, tenantUrl, itemId } = await response.json();
    expect(itemId).toBe(1042);
    const { status, body } = await askTenant(tenantUrl, `/report/1042?ev=${encodeURIComponent(key)}`);
    expect(status).toBe(200);
    expect(body).toContain('Sales by region');
  });

  it('responds with 404 with a problem document for a report that canView denies', async () => {
    const response = await askForKey(port, 1043);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await response.json()).toMatchObject({ code: 'report_unavailable' });
  });

  it('responds with 400 to an invalid item ID', async () => {
    const response = await askForKey(port, '1042; drop table');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_item_id' });
  });
});
