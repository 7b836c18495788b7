import { createFetchHandler } from '@vitrine/server';
import { expect, it, onTestFinished } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
import { connectionTo, envelopeOf, startStandInPortal } from '../support/standInPortal.ts';

const connectionOf = (name: string) => ({
  ...connectionTo('http://127.0.0.1:1'),
  tenantUrl: `https://${name}.portal.example`,
  tenancyName: name,
});

const remembering = () => {
  const known = new Map<string, ReturnType<typeof connectionOf>>();
  return (name: string) => {
    const connection = known.get(name) ?? connectionOf(name);
    known.set(name, connection);
    return connection;
  };
};

it.each([
  ['the same object for each request', remembering],
  ['a new object for each request', () => connectionOf],
])('evicts the least recently used of a thousand and one tenants (%s)', async (_title, open) => {
  const connection = open();
  const handler = createFetchHandler({
    portal: (request: Request) => connection(request.headers.get('x-user') ?? ''),
    viewer: viewerByHeader,
    // The tenant is known before any rejection, and no portal needs to respond.
    canView: () => false,
    logger: false,
    rateLimit: false,
  });
  onTestFinished(() => handler.close());
  const ask = (n: number) => handler(keyRequest(1042, `t${n}`));
  for (let n = 0; n < 1000; n += 1) await ask(n);
  await ask(0);
  await ask(1000);
  const names = handler.health().tenants.map(({ tenancyName }) => tenancyName);
  expect(names).toHaveLength(1000);
  expect(names).toContain('t0');
  expect(names).not.toContain('t1');
});

it('logs a tenant once if each request brings new secrets, and counts the rest', async () => {
  const logger = recordLog();
  let keys = 0;
  const handler = createFetchHandler({
    portal: (request: Request) => ({
      ...connectionOf(request.headers.get('x-user') ?? ''),
      apiKey: `test-api-key-${(keys += 1)}`,
    }),
    viewer: viewerByHeader,
    canView: () => false,
    logger,
  });
  for (let n = 0; n < 10; n += 1) for (const name of ['a', 'b']) await handler(keyRequest(1042, name));
  const connects = () => logger.starts.filter(({ message }) => message.startsWith('Vitrine connects'));
  expect(connects().map(({ fields }) => fields['tenancyName'])).toEqual(['a', 'b']);
  await handler.close();
  expect(connects().map(({ fields }) => fields['repeated'])).toEqual([undefined, undefined, 9, 9]);
});

it('keeps as many tenants as maxTenants', async () => {
  const handler = createFetchHandler({
    portal: (request: Request) => connectionOf(request.headers.get('x-user') ?? ''),
    viewer: viewerByHeader,
    canView: () => false,
    maxTenants: 2,
    logger: false,
  });
  onTestFinished(() => handler.close());
  for (const name of ['a', 'b', 'a', 'c']) await handler(keyRequest(1042, name));
  const names = handler.health().tenants.map(({ tenancyName }) => tenancyName);
  expect(names.sort()).toEqual(['a', 'c']);
});

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

it('closes the connections of an evicted tenant after its calls in flight', async () => {
  const [portal, other] = [await startStandInPortal(), await startStandInPortal()];
  onTestFinished(async () => {
    await portal.close();
    await other.close();
  });
  const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  portal.answer = async () => {
    arrived.resolve();
    await gate.promise;
    return { body: envelopeOf('key-of-the-first') };
  };
  const connections = { a: connectionTo(portal.url), b: { ...connectionTo(other.url), tenancyName: 'b' } };
  const handler = createFetchHandler({
    portal: (request: Request) => connections[request.headers.get('x-user') === 'a' ? 'a' : 'b'],
    viewer: viewerByHeader,
    canView: () => true,
    maxTenants: 1,
    logger: false,
  });
  onTestFinished(() => handler.close());
  const answer = handler(keyRequest(1042, 'a'));
  await arrived.promise;
  expect((await handler(keyRequest(1042, 'b'))).status).toBe(200);
  expect(portal.openConnections()).toBe(1);
  gate.resolve();
  expect((await answer).status).toBe(200);
  while (portal.openConnections() > 0) await new Promise((resolve) => setImmediate(resolve));
  expect(other.openConnections()).toBe(1);
  await handler.close();
  while (other.openConnections() > 0) await new Promise((resolve) => setImmediate(resolve));
});
