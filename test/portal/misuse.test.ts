import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testDatabases } from './databases.ts';

/** Values that a program without types may pass. */
const oddIds: readonly unknown[] = [Number.NaN, 1.5, -1, 1e20, 'x', undefined, {}];

describe.each(await testDatabases('misuse'))('a portal on $name', ({ address, drop }) => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await createPortal({ database: address });
  });
  afterAll(async () => {
    await portal.close();
    await drop();
  });

  it.each(oddIds)('reports that nothing has the identifier %s', async (id) => {
    // TypeScript does not allow the calls that the guards for untyped callers check.
    const given = id as number;
    const remove = (list: string) =>
      fetch(`${portal.url}/_control/tenants/acme/${list}/${String(given)}`, { method: 'DELETE' });
    expect(await (await remove('links')).text()).toContain('The link does not exist');
    expect(await (await remove('items')).text()).toContain('The item does not exist');
    await expect(portal.removeTenant(String(given))).rejects.toThrow('There is no tenant');
  });
});

it('rejects changes after close(), and closes once', async () => {
  const portal = await createPortal();
  await portal.close();
  for (const call of [
    () => portal.createTenant(),
    () => portal.reset(),
    () => portal.setActionTarget('acme', 'http://host.example'),
  ])
    await expect(call()).rejects.toThrow('destroyed');
  await expect(portal.close()).resolves.toBeUndefined();
});

it.each(['UPPER', 'two words', '', 'x'.repeat(64)])(
  'rejects a new tenant whose name is no subdomain: %j',
  async (tenancyName) => {
    const portal = await createPortal();
    onTestFinished(() => portal.close());
    await expect(portal.createTenant({ tenancyName })).rejects.toThrow('must be a lower-case subdomain');
  },
);

it('names the field of an invalid seed', async () => {
  const seed = { tenants: [{ tenantId: 1, tenancyName: 'UPPER', displayName: 'Upper' }] };
  await expect(createPortal({ seed })).rejects.toThrow(
    'seed.tenants[0].tenancyName: must be a lower-case subdomain',
  );
});
