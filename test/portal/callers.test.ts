import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { administer } from './administer.ts';
import { testPostgres } from './databases.ts';

const postgres = await testPostgres('callers');

const inFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-callers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'portal.db');
};
const onPostgres = postgres && {
  name: 'Postgres',
  open: () => {
    onTestFinished(postgres.drop);
    return postgres.address;
  },
};

const start = async (database: string): Promise<{ portal: Portal; tenant: PortalTenant }> => {
  const portal = await createPortal({ database });
  onTestFinished(() => portal.close());
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The default seed has two tenants.');
  return { portal, tenant };
};

/** Issues an API key and returns the tenant for its holder, with a function that revokes the key. */
const issueKey = async ({ portal, tenant }: { portal: Portal; tenant: PortalTenant }) => {
  const path = `${portal.url}/_control/tenants/${tenant.tenancyName}/api-keys`;
  const body = JSON.stringify({ name: 'Short-lived', permissions: ['Administration.Users'] });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(path, { method: 'POST', headers, body });
  const { id, apiKey } = (await answer.json()) as { id: number; apiKey: string };
  return { holder: { ...tenant, apiKey }, revoke: () => fetch(`${path}/${id}`, { method: 'DELETE' }) };
};

describe.each([
  { name: 'SQLite in memory', open: () => ':memory:' },
  { name: 'SQLite in a file', open: inFile },
  ...(onPostgres === undefined ? [] : [onPostgres]),
])('an API key on $name', ({ open }) => {
  it('is rejected as soon as it is revoked', async () => {
    const { holder, revoke } = await issueKey(await start(open()));
    expect((await administer(holder, 'GET /v1/users')).status).toBe(200);
    expect((await administer(holder, 'GET /v1/users')).status).toBe(200);
    await revoke();
    expect((await administer(holder, 'GET /v1/users')).status).toBe(401);
  });
});

describe.each([
  { name: 'SQLite in a file', open: inFile },
  ...(onPostgres === undefined ? [] : [onPostgres]),
])('two portals on one database, $name,', ({ open }) => {
  it('apply changes of a caller made by the other one at once', async () => {
    const address = open();
    const first = await start(address);
    const second = await start(address);
    const { holder, revoke } = await issueKey(first);
    const onSecond = { ...holder, baseUrl: second.tenant.baseUrl };
    expect((await administer(onSecond, 'GET /v1/users')).status).toBe(200);

    const users = (await administer(first.tenant, 'GET /v1/users')).body.items;
    const { id } = users.find((user: { email: string }) => user.email.startsWith('administrator@'));
    const lastActor = async () =>
      (await administer(second.tenant, 'GET /v1/audit-logs?pageSize=1')).body.items[0].userEmail;
    const touch = (lastName: string) =>
      administer(second.tenant, `PATCH /v1/users/${id}`, { body: { lastName } });
    await touch('Touched');
    expect(await lastActor()).toBe('administrator@acme.example');
    await administer(first.tenant, `PATCH /v1/users/${id}`, { body: { email: 'renamed@acme.example' } });
    await touch('Again');
    expect(await lastActor()).toBe('renamed@acme.example');

    await revoke();
    expect((await administer(onSecond, 'GET /v1/users')).status).toBe(401);
  });
});
