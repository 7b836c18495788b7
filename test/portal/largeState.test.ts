import { createPortal } from '@vitrine/portal';
import { expect, it, onTestFinished } from 'vitest';
import { administer } from './administer.ts';

it('restores a state of more than a megabyte, and the console search finds its newest user', async () => {
  const portal = await createPortal();
  onTestFinished(() => portal.close());
  const [acme] = portal.tenants;
  if (acme === undefined) throw new Error('The default seed has two tenants.');
  const seed = (await administer(acme, 'GET /_control/seed')).body;
  const many = Array.from({ length: 6000 }, (_, number) => ({
    type: 'UserPass',
    email: `many-${number}@acme.example`,
    firstName: 'One of'.padEnd(60, '.'),
    lastName: 'Many'.padEnd(60, '.'),
  }));
  seed.tenants[0].users.push(...many);
  const text = JSON.stringify(seed);
  expect(text.length).toBeGreaterThan(1024 * 1024);
  const body = { text, fileName: 'portal.seed.json' };
  expect((await administer(acme, 'PUT /_control/seed', { body })).status).toBe(204);
  const search = async (text: string) =>
    (await administer(acme, `GET /_control/tenants/acme/lists/users?search=${text}`)).body;
  expect(await search('MANY-5999')).toMatchObject({
    totalCount: 1,
    items: [{ email: 'many-5999@acme.example' }],
  });
  expect(Object.keys(await search('nobody'))).not.toContain('searchedRows');
});
