import { createPortal } from '@vitrine/portal';
import { expect, it, onTestFinished } from 'vitest';
import { administer } from './administer.ts';

it('starts with a seed of more than a megabyte, and the console search finds its newest user', async () => {
  const many = Array.from({ length: 6000 }, (_, number) => ({
    type: 'UserPass',
    email: `many-${number}@acme.example`,
    firstName: 'One of'.padEnd(60, '.'),
    lastName: 'Many'.padEnd(60, '.'),
  }));
  const seed = { tenants: [{ tenantId: 101, tenancyName: 'acme', displayName: 'Acme', users: many }] };
  expect(JSON.stringify(seed).length).toBeGreaterThan(1024 * 1024);
  const portal = await createPortal({ seed });
  onTestFinished(() => portal.close());
  const [acme] = portal.tenants;
  if (acme === undefined) throw new Error('The seed has a tenant.');
  const search = async (text: string) =>
    (await administer(acme, `GET /_control/tenants/acme/lists/users?search=${text}`)).body;
  expect(await search('MANY-5999')).toMatchObject({
    totalCount: 1,
    items: [{ email: 'many-5999@acme.example' }],
  });
  expect(Object.keys(await search('nobody'))).not.toContain('searchedRows');
});
