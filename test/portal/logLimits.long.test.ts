import { createPortal } from '@vitrine/portal';
import { expect, it, onTestFinished } from 'vitest';
import { askRoles } from './askRoles.ts';

it('keeps the newest ten thousand entries of the request log', async () => {
  const portal = await createPortal();
  onTestFinished(() => portal.close());
  await askRoles(portal, 10_100);
  const ids = (await portal.requests.list({ limit: 20_000 })).map(({ id }) => id);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([10_000, 101, 10_100]);
});
