import { createFetchHandler } from '@vitrine/server';
import { expect, it, onTestFinished } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { connectionTo, startStandInPortal } from '../support/standInPortal.ts';

it.each([
  ['its number as a string', { tenantId: '101' }],
  ['a trailing slash in a URL', { tenantUrl: 'https://acme.portal.example/' }],
  ['a URL in upper case', { tenantUrl: 'HTTPS://ACME.portal.example' }],
])('treats a tenant with %s as the same one', async (_title, change) => {
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  const connection = connectionTo(portal.url);
  let count = 0;
  const handler = createFetchHandler({
    portal: () => ((count += 1) % 2 === 0 ? connection : { ...connection, ...change }),
    viewer: viewerByHeader,
    canView: () => true,
    logger: false,
  });
  onTestFinished(() => handler.close());
  for (let n = 0; n < 4; n += 1) expect((await handler(keyRequest(1042, 'a'))).status).toBe(200);
  expect(handler.health().tenants).toHaveLength(1);
});

it('separates two portals that differ only in the URL of the API', async () => {
  const portals = [await startStandInPortal(), await startStandInPortal()];
  for (const portal of portals) onTestFinished(() => portal.close());
  const connections = portals.map(({ url }) => connectionTo(url));
  const handler = createFetchHandler({
    portal: (request) => connections[request.headers.get('x-user') === 'a' ? 0 : 1] ?? connectionTo(''),
    viewer: viewerByHeader,
    canView: () => true,
    logger: false,
  });
  onTestFinished(() => handler.close());
  for (const user of ['a', 'b', 'b']) expect((await handler(keyRequest(1042, user))).status).toBe(200);
  expect(portals.map(({ calls }) => calls.length)).toEqual([1, 2]);
});
